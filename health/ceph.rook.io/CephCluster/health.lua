-- Healthy: the operator is Ready (Connected, where the cluster is external) and Ceph says HEALTH_OK.
-- HEALTH_WARN holds the gate: it is Progressing, since much of it goes by itself (recovery, a monitor that joins). A
-- warning that is meant to stay is muted in Ceph (`ceph health mute`); it then counts for nothing here either.
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
local ceph = table_or_empty(status.ceph)
local health = text_or(ceph.health, "")

-- What Ceph has to say, by the names of its checks.
local function details()
  local names = {}
  for name in pairs(table_or_empty(ceph.details)) do
    if type(name) == "string" then
      table.insert(names, name)
    end
  end
  table.sort(names)
  local texts = {}
  for _, name in ipairs(names) do
    table.insert(texts, name .. ": " .. text_or(table_or_empty(ceph.details[name]).message, "no message"))
  end
  if #texts == 0 then
    return health
  end
  return health .. " (" .. table.concat(texts, "; ") .. ")"
end

if phase == "Failure" then
  return { status = "Degraded", message = text_or(status.message, "the operator failed") }
end
if health == "HEALTH_ERR" then
  return { status = "Degraded", message = details() }
end
local external = table_or_empty(table_or_empty(obj.spec).external).enable == true
if phase ~= "Ready" and not (external and phase == "Connected") then
  local doing = text_or(status.message, "")
  local what = phase == "" and "waiting for the operator" or "the operator is " .. phase
  return { status = "Progressing", message = doing == "" and what or what .. ": " .. doing }
end
if health == "HEALTH_OK" then
  return { status = "Healthy", message = "HEALTH_OK" }
end
if health == "" then
  return { status = "Progressing", message = "waiting for Ceph to tell its health" }
end
return { status = "Progressing", message = details() }
