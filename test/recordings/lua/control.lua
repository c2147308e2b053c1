local lines = {}
local function p(...)
  for i = 1, select("#", ...) do
    lines[#lines + 1] = tostring((select(i, ...)))
  end
end
for i=3,1,-1 do p(i) end for i=1,0 do p("no") end for i = 1,2,0.5 do p(i) end
do local i = 1 ::top:: if i < 3 then i = i + 1 goto top end p(i) end
for i=1,3 do for j=1,3 do if j==2 then goto continue end p(i..j) ::continue:: end end
local function va(...) local a,b = ... return select('#',...), a, b, ... end p(va(1,nil,3))
p((va(1,2)))
local fs={} for i=1,3 do fs[i]=function() i=i+1 return i end end p(fs[1](), fs[1](), fs[2]())
return { status = "Healthy", message = table.concat(lines, "\n") }
