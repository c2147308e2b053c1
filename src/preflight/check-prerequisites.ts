// Checks all prerequisites concurrently, each one separately, with a total time limit.
import { type ErrorCode, TiphysError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import { isoTime } from '../run/iso-time.ts';
import { absentPrerequisites } from './absent.ts';
import { ansiblePrerequisites } from './ansible.ts';
import { credentialPrerequisites } from './check-credentials.ts';
import { clusterPrerequisites } from './cluster.ts';
import { connectivityPrerequisites } from './connectivity.ts';
import { fromClusterPrerequisites } from './from-cluster.ts';
import type { PreflightContext } from './preflight-context.ts';
import {
  type PreflightReport,
  reportOf,
  takeClusterInventory,
  UNKNOWN_INVENTORY,
} from './preflight-report.ts';
import { rightPrerequisites } from './rights.ts';
import { failure, type Prerequisite, type Row, rowOf, warning } from './row.ts';
import { toolPrerequisites } from './tools.ts';
import type { Wanted } from './wanted.ts';

/** Half a minute in total, including start and end. */
const LIMIT_MS = 25_000;

export function prerequisitesFor(wanted: Wanted): readonly Prerequisite[] {
  return [
    ...toolPrerequisites(wanted),
    ...ansiblePrerequisites(wanted),
    ...clusterPrerequisites(wanted),
    ...rightPrerequisites(),
    ...connectivityPrerequisites(wanted),
    ...fromClusterPrerequisites(wanted),
    ...credentialPrerequisites(wanted),
    ...absentPrerequisites(wanted),
  ];
}

export async function checkPrerequisites(
  prerequisites: readonly Prerequisite[],
  world: PreflightContext,
  clock: Clock,
): Promise<PreflightReport> {
  const ended = new AbortController();
  const timeUp = clock.sleep(LIMIT_MS, ended.signal);
  const [inventory, ...rows] = await Promise.all([
    Promise.race([inventoryOf(world), timeUp.then(() => UNKNOWN_INVENTORY)]),
    ...prerequisites.map((one) => Promise.race([rowFor(one, world), timeUp.then(() => late(one))])),
  ]);
  ended.abort();
  return reportOf(rows, inventory, isoTime(clock.now()));
}

async function inventoryOf(world: PreflightContext) {
  try {
    return await takeClusterInventory(await world.cluster());
  } catch {
    // The row of the kubeconfig has the reason.
    return UNKNOWN_INVENTORY;
  }
}

async function rowFor(prerequisite: Prerequisite, world: PreflightContext): Promise<Row> {
  try {
    return rowOf(prerequisite, await prerequisite.judge(world));
  } catch (error) {
    const [first] = error instanceof TiphysError ? error.diagnostics : [];
    if (!first) throw error;
    const remedy = first.hint ?? 'See docs/errors.md.';
    return unjudged(prerequisite, first.code, first.message, remedy);
  }
}

function late(prerequisite: Prerequisite): Row {
  const seen = `not checked: no answer within ${LIMIT_MS / 1000} s`;
  return unjudged(prerequisite, 'preflight-late', seen, 'Try again.');
}

function unjudged(one: Prerequisite, code: ErrorCode, seen: string, remedy: string): Row {
  return rowOf(one, one.advised ? warning(seen, remedy) : failure(code, seen, remedy));
}
