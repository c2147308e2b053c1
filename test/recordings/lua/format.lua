local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
p(string.format("%g|%g|%g|%g|%e|%f|%.3f|%5d|%-5d|%05d|%x|%X|%o|%c|%q|%s|%s|%s|%i", 0.1, 1/3, 1234567.5, 1e25, 12345.678, 1.5, 2.0005, 42, 42, 42, 255, 255, 8, 65, 'a"b\n', nil, true, 1.5, 3.7))
p(string.format("%d %d", 3.99, -3.99), string.format("%s"), string.format("%5.1f|%10s|%-10s|", 3.14159, "hi", "hi"), string.format("%%"), string.format("%5s%%", 1))
return { status = "Healthy", message = table.concat(lines, "\n") }
