-- Healthy: the namespace is there, in the Temporal cluster that it names.
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
local failed = condition_of("ReconcileError")
if failed.status == "True" then
  return { status = "Degraded", message = text_or(failed.message, "the operator failed") }
end
return { status = "Progressing", message = text_or(ready.message, "waiting for the operator") }
