-- Healthy: the cluster is Ready and its frontend, through which everything goes, is too.
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

local metadata = table_or_empty(obj.metadata)
local ready = condition_of("Ready")
local observed, wanted = ready.observedGeneration, metadata.generation
if type(observed) == "number" and type(wanted) == "number" and observed < wanted then
  return { status = "Progressing", message = "the operator has not looked at the new spec yet" }
end
local frontend = {}
for _, service in ipairs(table_or_empty(status.services)) do
  if type(service) == "table" and service.name == "frontend" then
    frontend = service
  end
end
if ready.status == "True" and frontend.ready == true then
  return { status = "Healthy", message = text_or(ready.message, "Ready") }
end
local failed = condition_of("ReconcileError")
if failed.status == "True" then
  return { status = "Degraded", message = text_or(failed.message, "the operator failed") }
end
if next(status) ~= nil and frontend.ready ~= true then
  return { status = "Progressing", message = "the frontend is not ready" }
end
return { status = "Progressing", message = text_or(ready.message, "waiting for the operator") }
