// Everything that reads what others wrote.
import type { FuzzTarget } from './fuzz.ts';
import { CLUSTER } from './targets/cluster.ts';
import { FILES } from './targets/files.ts';
import { HEALTH } from './targets/health.ts';
import { IMPORT } from './targets/import.ts';
import { IMPORT_FILES } from './targets/import-files.ts';
import { INPUT } from './targets/input.ts';
import { LINT } from './targets/lint.ts';
import { SETTINGS } from './targets/settings.ts';
import { WORKFLOWS } from './targets/workflows.ts';

export const ALL: readonly FuzzTarget[] = [
  ...FILES,
  ...CLUSTER,
  ...WORKFLOWS,
  ...INPUT,
  ...HEALTH,
  ...IMPORT,
  ...IMPORT_FILES,
  ...LINT,
  ...SETTINGS,
];
