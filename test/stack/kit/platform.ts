// Platforms for tests of the command: settings that make it quick, and a hold from before.

import { HOLD_ANNOTATION, holdWindow } from '../../../src/run/hold.ts';
import type { Scratch } from './scratch.ts';

/** The timeouts are longer than what Argo CD overlooks may cost. A test in which time must run out has its own. */
export const QUICK = {
  gate: { dwell: '1s', degradedGrace: '5s' },
  timeouts: { sync: '4m', health: '4m' },
  retries: { maxAttempts: 1, backoff: '1s' },
};

/** A hold from before the run, as a bootstrap leaves it: what syncs by itself can be made under it. */
export async function holdFromBefore(scratch: Scratch, ...suffixes: string[]): Promise<void> {
  const { applications, kind, schedule, duration, manualSync } = holdWindow(
    suffixes.map((suffix) => `${scratch.name}-${suffix}`),
  );
  await scratch.stack.changeProject(scratch.name, (project) => {
    const window = { kind, schedule, duration, manualSync, applications: [...applications] };
    project.spec.syncWindows = [...(project.spec.syncWindows ?? []), window];
    const owner = { [HOLD_ANNOTATION]: `${scratch.name}/bootstrap` };
    const annotations = { ...project.metadata?.annotations, ...owner };
    project.metadata = { ...project.metadata, annotations };
  });
}

/** Applications that sync and heal by themselves, held from before they exist. */
export async function heldApplications(scratch: Scratch, ...suffixes: string[]): Promise<void> {
  await holdFromBefore(scratch, ...suffixes);
  for (const suffix of suffixes) {
    await scratch.application(suffix, { path: suffix, automated: { selfHeal: true } });
  }
}
