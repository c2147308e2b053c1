local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
local t = {1,2,nil,4} p(#t) local u = {} u[3]=1 p(#u) u[5]=nil p(#u) local v={n=1,[1]="a",[2]="b",x=2} p(#v)
p(table.concat({1,2,3},", "))
p(table.concat({},","))
p(pcall(table.concat,{1,{},3})) local w={1,2,3} table.insert(w,2,9)
p(table.concat(w,","))
p(table.remove(w,1), table.concat(w,","))
p(table.remove({})) table.insert(w,10,5)
p(#w)
p(unpack({1,2,3}))
p(select(-1,1,2,3))
p(select('#'))
p(math.floor(-1.5), math.huge, math.max(1,5,3), 7%3, -7%3, 7%-3, 5.5%2, 2^10, math.fmod(-7,3), math.modf(3.7))
p(type(print), type(nil), _VERSION)
return { status = "Healthy", message = table.concat(lines, "\n") }
