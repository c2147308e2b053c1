-- Healthy: all of KubeVirt is deployed and available. While it deploys, its own condition Degraded is true as well: that
-- counts only when nothing is in progress.
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
local available, progressing, degraded =
  condition_of("Available"), condition_of("Progressing"), condition_of("Degraded")

if degraded.status == "True" and progressing.status ~= "True" then
  return { status = "Degraded", message = text_or(degraded.message, "Degraded") }
end
if phase ~= "Deployed" then
  local what = phase == "" and "waiting for the operator" or phase
  return { status = "Progressing", message = text_or(progressing.message, what) }
end
if progressing.status == "True" then
  return { status = "Progressing", message = text_or(progressing.message, "an update is under way") }
end
if available.status ~= "True" then
  return { status = "Progressing", message = text_or(available.message, "not available yet") }
end
return { status = "Healthy", message = "Deployed" }
