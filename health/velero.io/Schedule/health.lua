-- Healthy: Velero has taken the schedule. Whether backups succeed is another question, with alerts of its own.
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

local phase = text_or(status.phase, "")
if phase == "FailedValidation" then
  local problems = {}
  for _, problem in ipairs(table_or_empty(status.validationErrors)) do
    table.insert(problems, text_or(problem, "?"))
  end
  return { status = "Degraded", message = #problems == 0 and phase or table.concat(problems, "; ") }
end
if table_or_empty(obj.spec).paused == true then
  return { status = "Suspended", message = "paused" }
end
if phase == "Enabled" then
  return { status = "Healthy", message = "Enabled" }
end
return { status = "Progressing", message = phase == "" and "waiting for Velero" or phase }
