// A complete deployment in this process: checks, ownership, hold, nodes, hand-over, record.

import { namespacesOf } from '../../plan/node-address.ts';
import type { Report } from '../../report/run-report.ts';
import { mixedRevisions, outcomesOf } from '../../report/tally.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { requireClusterName } from '../../session/cluster-name.ts';
import { heldApplications } from '../../session/hold/held.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import { type CheckedCluster, checkCluster } from '../check-cluster.ts';
import { type RequiredGate, unprobedOutside } from '../inspect/required-gates.ts';
import { leftAlone } from '../unexpected.ts';
import { DeployWalk } from './deploy-walk.ts';
import { asOneRun, type RunFrame, type RunRequest } from './run-frame.ts';

export interface DeployRequest extends RunRequest {
  /** The dependencies outside the plan, judged before. */
  readonly required: readonly RequiredGate[];
  /** Keeps applications on hold after their gates have opened, too. */
  readonly keepHold: boolean;
  /** A sync that bypassed the order is not a success. */
  readonly strict?: boolean;
}

/** Throws before the first write, or returns a report. */
export async function deploy(request: DeployRequest): Promise<Report> {
  const { plan, stop, abort, clusterName, target } = request;
  await requireClusterName(clusterName, target);
  const found = await checkCluster(plan, target);
  if (stop.aborted || abort.aborted) throw interrupted();
  return await asOneRun(request, plan.hash, (frame) => run(request, found, frame));
}

async function run(request: DeployRequest, found: CheckedCluster, frame: RunFrame): Promise<void> {
  const { plan, required, concurrency, keepHold: keep } = request;
  const { session } = frame;
  await session.recordClusterName(request.clusterName);
  frame.begin();
  for (const one of found.unexpected) session.warn(leftAlone(one));
  for (const message of unprobedOutside(required)) session.warn(message);
  const watch = await session.watch(namespacesOf(plan, required));
  const { applications, leavesWindows } = found;
  const hold = frame.holdOn(watch, { plan, found: applications, leavesWindows, keep });
  await frame.prepare(() => hold.prepare());
  const given = { plan, required, concurrency, found, session, watch, hold };
  await frame.through((signal) => new DeployWalk({ ...given, signal }));
  await frame.settle();
  const held = await heldAtTheEnd(request, frame, hold);
  const { nodes, bypasses } = session.state;
  for (const message of mixedRevisions(plan, nodes)) session.warn(message);
  const outcomes = outcomesOf(plan, nodes);
  const bypassed = request.strict === true && bypasses.length > 0;
  frame.finish(exitStatusOf({ outcomes, end: frame.end, bypassed }), held);
}

/** According to the AppProjects; if they can no longer be read, according to this run. */
async function heldAtTheEnd(
  { plan, target }: DeployRequest,
  frame: RunFrame,
  hold: RunHold,
): Promise<string[]> {
  const held = await frame.inTime(heldApplications(plan, target).catch(() => undefined));
  for (const { address } of held?.filter(({ isGone }) => isGone) ?? []) {
    frame.session.warn(
      `Application "${address.name}" is on hold but no longer in the platform file; run \`tiphys release\` to release it`,
    );
  }
  return held?.map(({ id }) => id) ?? hold.heldNodes();
}
