local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
p(1==1.0, "1"==1, 0==-0)
p(not nil, nil and 1, false or "d")
p(10/2, 3/2)
p(rawequal(t,t), rawget({5},1))
p(next({}))
p(tostring(nil), tostring(true)) local mt=setmetatable({}, {__index=function(_,k) return k.."!" end, __tostring=function() return "MT" end, __call=function(_,a) return a end, __eq=function() return true end, __lt=function() return true end, __le=function() return false end, __concat=function() return "CC" end, __unm=function() return "UN" end, __len=function() return 42 end, __add=function() return "ADD" end})
p(mt.foo, tostring(mt), mt(7), mt < mt, mt <= mt, mt.."x", -mt, #mt, mt+1)
return { status = "Healthy", message = table.concat(lines, "\n") }
