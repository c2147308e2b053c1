local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
p([[a
b]], '\65\066\n\\', [==[x]]y]==], "a\z b")
return { status = "Healthy", message = table.concat(lines, "\n") }
