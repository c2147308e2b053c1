// Everything that reads what others wrote.
import type { FuzzTarget } from './fuzz.ts';
import { CLUSTER } from './targets/cluster.ts';
import { FILES } from './targets/files.ts';
import { HEALTH } from './targets/health.ts';
import { INPUT } from './targets/input.ts';
import { WORKFLOWS } from './targets/workflows.ts';

export const ALL: readonly FuzzTarget[] = [...FILES, ...CLUSTER, ...WORKFLOWS, ...INPUT, ...HEALTH];
