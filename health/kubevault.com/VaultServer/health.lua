-- Healthy: initialised, unsealed, taking connections, all replicas ready, which the operator calls Ready.
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
local observed, wanted = status.observedGeneration, metadata.generation
if type(observed) == "number" and type(wanted) == "number" and observed < wanted then
  return { status = "Progressing", message = "the operator has not looked at the new spec yet" }
end

local phase = text_or(status.phase, "")
local function message(otherwise)
  for _, name in ipairs({ "Initialized", "Unsealed", "AcceptingConnection", "AllReplicasAreReady" }) do
    local condition = condition_of(name)
    if condition.status == "False" then
      return text_or(condition.message, otherwise)
    end
  end
  return otherwise
end

if table_or_empty(obj.spec).halted == true then
  return { status = "Suspended", message = "halted" }
end
if phase == "Ready" then
  return { status = "Healthy", message = "Ready" }
end
if phase == "Sealed" then
  return { status = "Degraded", message = message("initialised, but sealed") }
end
if phase == "Critical" or phase == "NotReady" then
  return { status = "Degraded", message = message(phase) }
end
return { status = "Progressing", message = phase == "" and "waiting for the operator" or message(phase) }
