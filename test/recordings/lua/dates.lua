local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
p(require("os").date("!%Y-%m-%d", 0), require("os").date("!%H:%M:%S", 86399), require("os").time({year=2020,month=1,day=1,hour=0}), require("os").date("%c", 0), require("os").date("!%x %X %p %a %A %b %B %j %%", 0))
return { status = "Healthy", message = table.concat(lines, "\n") }
