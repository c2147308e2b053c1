local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
p(1e15, 1e100, 0.1, 1/3, 1234567.5, 12345678.25, 1e-5, 0.0001, 1.5e-7, 1e20, 2^63, 1e21, 1.5e300, -0.0, 1/0, -1/0, 0/0, 123456789012345.6)
p(tonumber("1e3"), tonumber("0x1F"), tonumber("  12 "), tonumber("12a"), tonumber("1.5e2"), tonumber("z",36), tonumber("5."), tonumber(".5"), tonumber(""), tonumber("010"), tonumber("8",8), tonumber("7",8))
p("10"+5, "0x10"+0, "010"+0, "1e3"+0, pcall(function() return "abc"+1 end))
return { status = "Healthy", message = table.concat(lines, "\n") }
