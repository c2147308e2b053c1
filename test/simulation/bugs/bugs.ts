// All of them, in the order of the table in docs/simulation.md.
import { APPROVALS } from './approvals.ts';
import { AT_SCALE } from './at-scale.ts';
import type { Bug } from './bug.ts';
import { GATES, ORDER } from './gates.ts';
import { HOLDS, LEASES } from './ownership.ts';
import { PROBES } from './probes.ts';
import { LIVENESS, OPERATIONS } from './requests.ts';
import { TEARDOWN } from './teardown.ts';
import { WORKFLOW } from './workflow.ts';

export const BUGS: readonly Bug[] = [
  ...LEASES,
  ...GATES,
  ...ORDER,
  ...OPERATIONS,
  ...HOLDS,
  ...LIVENESS,
  ...TEARDOWN,
  ...WORKFLOW,
  ...APPROVALS,
  ...AT_SCALE,
  ...PROBES,
];
