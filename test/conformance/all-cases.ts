// All cases, for whichever world.
import type { Case } from './case.ts';
import { automated } from './cases/automated.ts';
import { byVersion } from './cases/by-version.ts';
import { client } from './cases/client.ts';
import { comparison } from './cases/comparison.ts';
import { deletion } from './cases/deletion.ts';
import { generated } from './cases/generated.ts';
import { health } from './cases/health.ts';
import { inventories } from './cases/inventory.ts';
import { kubernetes } from './cases/kubernetes.ts';
import { nested } from './cases/nested.ts';
import { objects } from './cases/objects.ts';
import { operations } from './cases/operations.ts';
import { predictions } from './cases/predictions.ts';
import { projects } from './cases/projects.ts';
import { removal } from './cases/removal.ts';
import { requests } from './cases/requests.ts';
import { surface } from './cases/surface.ts';

export const CASES: readonly Case[] = [
  ...requests,
  ...surface,
  ...predictions,
  ...projects,
  ...comparison,
  ...health,
  ...operations,
  ...byVersion,
  ...automated,
  ...client,
  ...deletion,
  ...inventories,
  ...removal,
  ...objects,
  ...kubernetes,
  ...nested,
  ...generated,
];
