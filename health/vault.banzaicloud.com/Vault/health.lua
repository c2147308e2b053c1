-- Healthy: the operator finds Vault initialised and unsealed (its condition Healthy), and one node is the active one.
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

local function condition_of(name)
  for _, condition in ipairs(table_or_empty(status.conditions)) do
    if type(condition) == "table" and condition.type == name then
      return condition
    end
  end
  return {}
end

local size = table_or_empty(obj.spec).size
if size == 0 then
  return { status = "Suspended", message = "scaled to no nodes" }
end
local healthy = condition_of("Healthy")
if healthy.status == nil then
  return { status = "Progressing", message = "waiting for the operator" }
end
if healthy.status ~= "True" then
  if text_or(healthy.message, "") ~= "" then
    return { status = "Degraded", message = healthy.message }
  end
  -- Nodes do not answer until Vault was initialised and unsealed, which takes a while and needs nobody's help.
  return { status = "Progressing", message = text_or(healthy.error, "not initialised, or sealed") }
end
if text_or(status.leader, "") == "" then
  return { status = "Progressing", message = "no active node" }
end
return { status = "Healthy", message = "active: " .. status.leader }
