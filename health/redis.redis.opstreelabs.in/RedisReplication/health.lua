-- Healthy: there is a master, and where the operator tells its state and how many are ready, it is Ready with all of them.
-- Older operators tell the master only.
local function table_or_empty(value)
  if type(value) == "table" then
    return value
  end
  return {}
end

local function text_or(value, otherwise)
  if type(value) == "string" and value ~= "" then
    return value
  end
  return otherwise
end

local status = table_or_empty(obj.status)

local state = text_or(status.state, "")
local size = table_or_empty(obj.spec).clusterSize
if size == 0 then
  return { status = "Suspended", message = "scaled to no replicas" }
end
if state == "Failed" then
  return { status = "Degraded", message = "Failed" }
end
if text_or(status.masterNode, "") == "" then
  return { status = "Progressing", message = "no master yet" }
end
if state ~= "" and state ~= "Ready" then
  return { status = "Progressing", message = state }
end
local ready = status.readyReplicas
if type(ready) == "number" and type(size) == "number" and ready < size then
  return { status = "Progressing", message = ready .. " of " .. size .. " replicas are ready" }
end
return { status = "Healthy", message = "master: " .. status.masterNode }
