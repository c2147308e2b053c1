-- A child of an app-of-apps counts as Healthy only on what Argo CD would say if it were asked again: compared to the spec
-- that it has now, Synced, with no operation under way. Missing, Unknown and OutOfSync are Progressing, since a parent
-- would otherwise not count them at all.
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

local spec = table_or_empty(obj.spec)
local status = table_or_empty(obj.status)
local sync = table_or_empty(status.sync)
local health = table_or_empty(status.health)
local state = table_or_empty(status.operationState)

local function progressing(message)
  return { status = "Progressing", message = message }
end

-- Argo CD leaves out what is empty, so what is empty and what is not there are the same.
local function is_empty(value)
  return value == nil or value == "" or value == false or value == 0
    or (type(value) == "table" and next(value) == nil)
end

local function covers(left, right)
  for key, value in pairs(left) do
    local other = right[key]
    if type(value) == "table" and type(other) == "table" then
      if not (covers(value, other) and covers(other, value)) then
        return false
      end
    elseif type(value) == "table" then
      if not is_empty(other) or not covers(value, {}) then
        return false
      end
    elseif value ~= other and not (is_empty(value) and is_empty(other)) then
      return false
    end
  end
  return true
end

local function same(left, right)
  left, right = table_or_empty(left), table_or_empty(right)
  return covers(left, right) and covers(right, left)
end

local function sources_of(owner)
  local sources = table_or_empty(owner.sources)
  if #sources > 0 then
    return sources
  end
  return { table_or_empty(owner.source) }
end

-- The reason that Argo CD gives, where it gives one.
local function reason()
  for _, condition in ipairs(table_or_empty(status.conditions)) do
    condition = table_or_empty(condition)
    if type(condition.type) == "string" and type(condition.message) == "string" then
      return condition.type .. ": " .. condition.message
    end
  end
  if state.phase == "Failed" or state.phase == "Error" then
    return "the last operation " .. state.phase .. ": " .. text_or(state.message, "no message")
  end
  return text_or(health.message, "")
end

local function with_reason(message)
  local why = reason()
  return why == "" and message or message .. " (" .. why .. ")"
end

if type(obj.operation) == "table" or state.phase == "Running" or state.phase == "Terminating" then
  return progressing("an operation is under way")
end
local compared = sync.comparedTo
if type(health.status) ~= "string" or type(sync.status) ~= "string" or type(compared) ~= "table" then
  return progressing(with_reason("not compared yet"))
end
local hydrated = type(spec.sourceHydrator) == "table"
if not same(spec.destination, compared.destination)
  or not (hydrated or same(sources_of(spec), sources_of(compared))) then
  return progressing("not compared to its new spec yet")
end
if health.status == "Degraded" then
  return { status = "Degraded", message = with_reason("Degraded") }
end
if health.status == "Healthy" or health.status == "Suspended" then
  if sync.status ~= "Synced" then
    return progressing(with_reason(health.status .. ", but " .. (sync.status == "" and "not compared" or sync.status)))
  end
  return { status = health.status, message = text_or(health.message, "") }
end
return progressing(with_reason(health.status == "" and "no health yet" or health.status))
