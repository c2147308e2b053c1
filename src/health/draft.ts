// A draft of a check, from what is known about a kind's status.
import type { StatusShape } from '../ports/cluster-kinds.ts';

const HEAD = `-- A draft: compare it with the status that the operator really writes, and add test cases.
local status = type(obj.status) == "table" and obj.status or {}
local observed, wanted = status.observedGeneration, obj.metadata.generation
if type(observed) == "number" and type(wanted) == "number" and observed < wanted then
  return { status = "Progressing", message = "the operator has not observed the new spec yet" }
end
`;

const CONDITIONS = `${HEAD}
local conditions = type(status.conditions) == "table" and status.conditions or {}
for _, condition in ipairs(conditions) do
  if type(condition) == "table" and condition.type == "Ready" then
    local message = type(condition.message) == "string" and condition.message or ""
    if condition.status == "True" then
      return { status = "Healthy", message = message }
    end
    return { status = condition.reason == "Failed" and "Degraded" or "Progressing", message = message }
  end
end
return { status = "Progressing", message = "waiting for the operator" }
`;

const PHASE = `${HEAD}
local phase = type(status.phase) == "string" and status.phase or ""
if phase == "Ready" or phase == "Running" then
  return { status = "Healthy", message = phase }
end
if phase == "Failed" or phase == "Error" then
  return { status = "Degraded", message = phase }
end
return { status = "Progressing", message = phase == "" and "waiting for the operator" or phase }
`;

/** Undefined if the status has nothing that a check could use. */
export function draftCheck(shape: StatusShape): string | undefined {
  if (shape === 'conditions') return CONDITIONS;
  return shape === 'phase' ? PHASE : undefined;
}
