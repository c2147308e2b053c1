// The first pod of a Workflow: finds everything that is wrong before the first write, takes the Lease in the Workflow's name,
// and holds whatever syncs by itself. It lets go of neither: the pods behind it go on.

import { looksDone } from '../../node/looks-done.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Emit } from '../../run/events.ts';
import { foundBy, type HoldFound } from '../../session/hold/hold-found.ts';
import { RunHold } from '../../session/hold/run-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import { type Acquired, acquireLease } from '../../session/lease/acquire-lease.ts';
import { readRun, removeParts, unrecorded } from '../../session/record/history.ts';
import { runStarted } from '../../session/run-started.ts';
import { preflight } from '../check-cluster.ts';
import { requireHealthy } from '../inspect/required-gates.ts';
import { keepApproval } from '../teardown/approval.ts';
import { approvedBy } from '../teardown/approve.ts';
import { stopMakers } from '../teardown/stop-makers.ts';
import { takeInventory } from '../teardown/take-inventory.ts';
import { heldPlan } from '../teardown/teardown-order.ts';
import { teardownPreflight } from '../teardown/teardown-preflight.ts';
import { leftAlone } from '../unexpected.ts';
import { GAP_MS, holderOf, type PodRequest, type PodTeardown, podRecord } from './pod.ts';

export interface BeginRequest extends PodRequest {
  /** The id that the run gets unless it continues another one. */
  readonly runId: string;
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
  const found = await preflight(plan, target);
  await requireHealthy(plan, whole, { target, clock, signal, concurrency: plan.concurrency });
  return await owning(request, async (beginning) => {
    const { emit } = beginning;
    for (const one of found.unexpected) emit({ type: 'run.warning', message: leftAlone(one) });
    const leavesWindows = (name: string) =>
      found.listed.some((view) => view.name === name && view.leavesWindows);
    await hold(beginning, plan, () => ({ found: found.applications, leavesWindows }));
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
  return await owning(request, async (beginning) => {
    const { lease } = beginning.acquired;
    const held = heldPlan(plan, teardown);
    await hold(beginning, held, (watch) => foundBy(watch, held));
    const permit = () => lease.permit();
    await permit();
    await keepApproval(target.store, approved, () => lease.mayWrite());
    await stopMakers(approved.makers, { target, clock, stop: signal, permit });
  });
}

interface Beginning {
  readonly request: BeginRequest;
  readonly acquired: Acquired;
  readonly emit: Emit;
  readonly lost: AbortController;
}

/** The run is the platform's only one, and says that it has begun. Its Lease is left to the pods behind it. */
async function owning(
  request: BeginRequest,
  action: (beginning: Beginning) => Promise<void>,
): Promise<string> {
  const { plan, target, clock, signal } = request;
  const lost = new AbortController();
  const acquired = await acquireLease({
    ...{ platform: plan.platform, plan: request.basis, run: request.runId },
    ...{ holder: holderOf(request.workflow), leases: target.leases, clock, signal },
    onLost: (error) => lost.abort(error),
    lastsMs: GAP_MS,
  });
  const { emit, recorder } = podRecord(request, acquired, undefined);
  try {
    if (acquired.resumed) await takeUp(request, acquired);
    emit(runStarted(plan, 'argo-workflows', acquired.resumed));
    await action({ request, acquired, emit, lost });
    // Told to leave, it may not have put everything up: another one begins again.
    if (signal.aborted) throw interrupted();
    return acquired.run;
  } finally {
    await recorder.close();
    await acquired.lease.leave();
  }
}

/**
 * What the processes of a Workflow before this one wrote goes into the run's own record: what is beside that later is of this
 * one alone, whatever their clocks say.
 */
async function takeUp(request: BeginRequest, acquired: Acquired): Promise<void> {
  const { store } = request.target;
  const { platform } = request.plan;
  const history = await readRun(store, platform, acquired.run);
  if (!history || history.loose.length === 0) return;
  const { recorder } = podRecord(request, acquired, undefined);
  for (const event of unrecorded(history)) recorder.append(event);
  await recorder.close();
  await acquired.lease.permit();
  await removeParts(store, platform, acquired.run, () => acquired.lease.mayWrite());
}

/** Resolves when everything is held that is to be. It lets go of nothing. */
async function hold(
  { request, acquired, emit, lost }: Beginning,
  plan: Plan,
  foundOf: (watch: Watch) => HoldFound,
): Promise<void> {
  const { target, clock, signal } = request;
  const { lease, run } = acquired;
  const end = new AbortController();
  const watch = await target.watch(namespacesOf(plan), end.signal);
  const runHold = new RunHold({
    looksDone,
    ...{ ...foundOf(watch), plan, watch, clock, emit, keep: true },
    run: { id: run, platform: plan.platform, plan: request.plan.hash },
    ...{ projects: target.projects, applications: target.applications },
    watchProjects: target.watchProjects,
    mayWrite: (deadline) => lease.mayWrite(deadline),
    stop: signal,
    lost: lost.signal,
    onLost: (error) => lost.abort(error),
  });
  try {
    await runHold.prepare();
    if (runHold.heldNodes().length > 0) await clock.sleep(CAUGHT_MS, signal);
    await runHold.complete();
    lost.signal.throwIfAborted();
    await runHold.settle();
    const held = new Set(runHold.heldNodes());
    const projects = plan.nodes
      .filter(({ id }) => held.has(id))
      .map(({ argocd }) => argocd?.project);
    await lease.mark(projects.filter((project) => project !== undefined));
  } finally {
    end.abort();
    runHold.close();
  }
}
