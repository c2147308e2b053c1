-- Healthy: the operator says Running, which it does once the pods are ready, and where it tells how many instances there
-- are, they are as many as are wanted. Argo CD bundles a check of its own; this one also waits for the instances, takes
-- the empty status of a new cluster for Progressing, and one without instances for Suspended.
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

local state = text_or(status.PostgresClusterStatus, "")
if state == "CreateFailed" or state == "UpdateFailed" or state == "SyncFailed" or state == "Invalid" then
  return { status = "Degraded", message = state }
end
if state ~= "Running" then
  return { status = "Progressing", message = state == "" and "waiting for the operator" or state }
end
local instances = table_or_empty(obj.spec).numberOfInstances
local ready = status.numberOfInstances
if type(instances) == "number" and type(ready) == "number" and ready ~= instances then
  return { status = "Progressing", message = ready .. " of " .. instances .. " instances" }
end
if instances == 0 then
  return { status = "Suspended", message = "scaled to no instances" }
end
return { status = "Healthy", message = "Running" }
