// Rules that the schema of a probe cannot express: it has exactly one target, and its gate must exist.
import type { ProbeEntry } from './fields.ts';
import { quote } from './names.ts';
import type { PlatformFile } from './platform-file.ts';
import type { Path, Problem } from './positions.ts';
import { PROBE_KINDS } from './probe.ts';

export function probeProblems(file: PlatformFile): Problem[] {
  return file.spec.stacks.flatMap((stack, s): Problem[] => {
    const path: Path = ['spec', 'stacks', s];
    const own = stack.gate?.probe;
    const members = stack.applications.flatMap(({ gate }, a) =>
      gate?.probe ? wrongProbe(gate.probe, [...path, 'applications', a, 'gate', 'probe']) : [],
    );
    if (!own) return members;
    const at = [...path, 'gate', 'probe'];
    const homeless = stack.application === undefined ? [withoutApplication(stack.name, at)] : [];
    return [...homeless, ...wrongProbe(own, at), ...members];
  });
}

/** A stack without an Application only joins its members: it has no gate. */
function withoutApplication(stack: string, path: Path): Problem {
  const message = `Stack ${quote(stack)} has no Application, so it has no gate for a probe.`;
  const hint = 'Give the stack `application`, or move the probe to its last application.';
  return { code: 'probe-without-application', message, hint, path };
}

function wrongProbe(probe: ProbeEntry, path: Path): Problem[] {
  const given = PROBE_KINDS.filter((kind) => probe[kind] !== undefined);
  const wrong = (message: string, hint: string): Problem => ({
    ...{ code: 'probe-invalid', message, hint, path },
  });
  if (given.length === 0) return [wrong('The probe has no target.', 'Add http, tcp or job.')];
  if (given.length > 1)
    return [wrong(`The probe has ${given.join(' and ')}.`, 'Keep one of them.')];
  if (probe.status === undefined || probe.http !== undefined) return [];
  return [wrong('The probe has "status" without "http".', 'Remove `status`.')];
}
