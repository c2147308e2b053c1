local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
local depth = 0 local function r() depth = depth + 1 return 1 + r() end p(pcall(r))
p(depth)
return { status = "Healthy", message = table.concat(lines, "\n") }
