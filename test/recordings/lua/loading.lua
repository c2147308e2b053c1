local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
p(loadstring("return 1+1")())
p(loadstring("return ...")(7))
return { status = "Healthy", message = table.concat(lines, "\n") }
