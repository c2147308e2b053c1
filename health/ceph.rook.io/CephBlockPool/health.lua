-- Healthy: the operator says that the pool is Ready (Connected, where the cluster is external).
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

local metadata = table_or_empty(obj.metadata)
local observed, wanted = status.observedGeneration, metadata.generation
if type(observed) == "number" and type(wanted) == "number" and observed < wanted then
  return { status = "Progressing", message = "the operator has not looked at the new spec yet" }
end

local phase = text_or(status.phase, "")
if phase == "Ready" or phase == "Connected" then
  return { status = "Healthy", message = phase }
end
if phase == "Failure" or phase == "ReconcileFailed" then
  return { status = "Degraded", message = phase }
end
return { status = "Progressing", message = phase == "" and "waiting for the operator" or phase }
