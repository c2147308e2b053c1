// The first pod of a Workflow: finds everything that is wrong before the first write, takes the Lease in the Workflow's name,
// and holds whatever syncs by itself. It lets go of neither: the pods behind it go on.

import { looksDone } from '../../node/looks-done.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { StartedBy } from '../../run/started-by.ts';
import { Abandoned } from '../../session/abandoned.ts';
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
  /** The id that the run gets unless it continues another one. */
  readonly runId: string;
  /** For the record; undefined: nobody asked. */
  readonly startedBy?: StartedBy;
}

/** An operation that began in the moment of the write shows itself by then. */
const CAUGHT_MS = 2_000;

/** The run's id. */
export async function beginRun(request: BeginRequest): Promise<string> {
  const { teardown } = request;
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
 * It may have waited for long: the cluster is looked at again. Nothing goes before everything is held, and whatever would make
 * Applications again is stopped.
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

/** The run is the platform's only one, and says that it has begun. Its Lease is left to the pods behind it. */
async function owning(
  request: BeginRequest,
  action: (session: Session) => Promise<void>,
): Promise<string> {
  const { plan, runId, signal, startedBy } = request;
  const own = { runId, isShared: true, signal };
  const { session, isResumed } = await acquireSession({ ...sessionRequest(request), ...own });
  try {
    if (isResumed) await session.takeUpRecord();
    session.begin(plan, 'argo-workflows', startedBy);
    await action(session);
    // Told to abort, it may not have put everything up: another one begins again.
    if (signal.aborted) throw new Abandoned();
    return session.identity.id;
  } catch (error) {
    throw error instanceof Abandoned ? interrupted(STAYS) : error;
  } finally {
    await leaveToOthers(session);
  }
}

/** The end of the Workflow tells which ones. */
const STAYS = 'No Application was synced or deleted; what is held stays held.';

/** Resolves when everything is held that is to be. It lets go of nothing. */
async function hold(
  session: Session,
  { clock, signal }: BeginRequest,
  plan: Plan,
  foundOf: (watch: Watch) => HoldFound,
): Promise<Watch> {
  const watch = await session.watch(namespacesOf(plan));
  // Of a gate that asks or probes, only its own pod learns whether it opens: what comes after it is held in any case.
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
