// The first pod of a Workflow: finds every problem before the first write, takes the Lease in the Workflow's name, and
// puts every automated sync on hold. It keeps both: the next pods continue with them.

import { looksDone } from '../../node/looks-done.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { StartedBy } from '../../run/started-by.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { requireClusterName } from '../../session/cluster-name.ts';
import { foundBy, type HoldFound } from '../../session/hold/hold-found.ts';
import { interrupted } from '../../session/interrupted.ts';
import { acquireSession } from '../../session/open-session.ts';
import type { Session } from '../../session/session.ts';
import { checkCluster } from '../check-cluster.ts';
import { requireHealthy, unprobedOutside } from '../inspect/required-gates.ts';
import { approvedBy } from '../teardown/approved-inventory.ts';
import { stopMakers } from '../teardown/stop-makers.ts';
import { keepApproval } from '../teardown/stored-inventory.ts';
import { takeInventory } from '../teardown/take-inventory.ts';
import { teardownPreflight } from '../teardown/teardown-preflight.ts';
import { heldNames, heldPlan } from '../teardown/teardown-spec.ts';
import { leftAlone } from '../unexpected.ts';
import { leaveToOthers, type PodRequest, type PodTeardown, sessionRequest } from './pod.ts';

export interface BeginRequest extends PodRequest {
  /** The id of the run unless it resumes another one. */
  readonly runId: string;
  /** For the record; undefined: not determined. */
  readonly startedBy?: StartedBy;
}

/** An operation that started at the moment of the write shows by then. */
const CAUGHT_MS = 2_000;

/** The run's id. */
export async function beginRun(request: BeginRequest): Promise<string> {
  const { teardown, clusterName, target } = request;
  await requireClusterName(clusterName, target);
  return teardown ? await beginTeardown(request, teardown) : await beginDeployment(request);
}

async function beginDeployment(request: BeginRequest): Promise<string> {
  const { plan, whole, target, clock, signal } = request;
  const found = await checkCluster(plan, target);
  const look = { target, clock, signal, concurrency: plan.concurrency };
  const required = await requireHealthy(plan, whole, look);
  return await owning(request, async (session) => {
    for (const one of found.unexpected) session.warn(leftAlone(one));
    for (const message of unprobedOutside(required)) session.warn(message);
    const { applications, leavesWindows } = found;
    await hold(session, request, plan, () => ({ found: applications, leavesWindows }));
  });
}

/**
 * It may have waited for long: the cluster is checked again. Nothing is deleted before everything is on hold, and
 * everything that would recreate Applications is stopped.
 */
async function beginTeardown(request: BeginRequest, teardown: PodTeardown): Promise<string> {
  const { plan, target, clock, signal } = request;
  const { planned, policy } = teardown;
  const { concurrency } = plan;
  const now = await takeInventory({ ...planned, policy, target, clock, signal, concurrency });
  const { hash } = teardown.approved;
  const approved = await approvedBy({ hash, inventory: teardown.approved }, now, target.store);
  await teardownPreflight(plan, approved, target);
  return await owning(request, async (session) => {
    const plannedHold = heldPlan(plan, teardown);
    const watch = await hold(session, request, plannedHold, (seen) =>
      foundBy(seen, plannedHold, teardown.deployment),
    );
    await keepApproval(session, approved);
    const shared = session.sharedHold(plannedHold, heldNames(teardown, watch), watch, signal);
    const guards = { held: () => shared.ensure(), signal };
    await stopMakers(approved.makers, session, guards, signal);
  });
}

/** Makes the run the platform's only one, and records its start. Its Lease is left to the next pods. */
async function owning(
  request: BeginRequest,
  action: (session: Session) => Promise<void>,
): Promise<string> {
  const { plan, runId, signal, startedBy } = request;
  const own = { runId, isShared: true, signal };
  const { session, isResumed } = await acquireSession({ ...sessionRequest(request), ...own });
  try {
    if (isResumed) await session.takeUpRecord();
    if (!request.teardown) await session.recordClusterName(request.clusterName);
    session.begin(plan, 'argo-workflows', startedBy);
    await action(session);
    // If it was aborted, the hold may be incomplete: another pod starts again.
    if (signal.aborted) throw new Abandoned();
    return session.identity.id;
  } catch (error) {
    throw error instanceof Abandoned ? interrupted(STAYS) : error;
  } finally {
    await leaveToOthers(session);
  }
}

/** The end of the Workflow lists them. */
const STAYS = 'No Application was synced or deleted; applications on hold stay on hold.';

/** Resolves when everything that must be on hold is. It releases nothing. */
async function hold(
  session: Session,
  { clock, signal }: BeginRequest,
  plan: Plan,
  foundOf: (watch: Watch) => HoldFound,
): Promise<Watch> {
  const watch = await session.watch(namespacesOf(plan));
  // Only the node's own pod learns whether a gate with approval or probe opens: its dependents are put on hold in any
  // case.
  const isDone: typeof looksDone = (node, found) =>
    node.gate.approval === undefined && node.gate.probe === undefined && looksDone(node, found);
  const own = { plan, watch, looksDone: isDone, keep: true, stop: signal };
  const runHold = session.holdOn({ ...foundOf(watch), ...own });
  try {
    await runHold.prepare();
    if (runHold.heldNodes().length > 0) await clock.sleep(CAUGHT_MS, signal);
    await runHold.complete();
    session.lost.throwIfAborted();
    await runHold.settle();
    const held = new Set(runHold.heldNodes());
    const projects = plan.nodes
      .filter(({ id }) => held.has(id))
      .map(({ argocd }) => argocd?.project);
    await session.markHeld(projects.filter((project) => project !== undefined));
    return watch;
  } finally {
    runHold.close();
  }
}
