-- Healthy: the policy is in force. Kyverno calls one that is not there yet and one that failed by the same name, so both
-- are waited for.
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

local ready = condition_of("Ready")
if ready.status == "True" then
  return { status = "Healthy", message = text_or(ready.message, "Ready") }
end
if ready.status == nil and status.ready == true then
  return { status = "Healthy", message = "Ready" }
end
return { status = "Progressing", message = text_or(ready.message, "waiting for the policy to be in force") }
