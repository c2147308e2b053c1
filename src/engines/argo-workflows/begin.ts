// The first pod of a Workflow: finds everything that is wrong before the first write, takes the Lease in the Workflow's name,
// and holds whatever syncs by itself. It lets go of neither: the pods behind it go on.
import type { Emit } from '../../run/events.ts';
import { acquireLease } from '../acquire-lease.ts';
import { RunHold } from '../embedded/run-hold.ts';
import { namespacesOf, type Preflight, preflight } from '../preflight.ts';
import { requireHealthy } from '../required.ts';
import { runStarted } from '../run-started.ts';
import { leftAlone } from '../unexpected.ts';
import { GAP_MS, holderOf, type JoinedLease, type PodRequest, podRecord } from './pod.ts';

export interface BeginRequest extends PodRequest {
  /** The id that the run gets unless it continues another one. */
  readonly runId: string;
}

/** An operation that began in the moment of the write shows itself by then. */
const CAUGHT_MS = 2_000;

/** The run's id. */
export async function beginRun(request: BeginRequest): Promise<string> {
  const { plan, whole, target, clock, signal } = request;
  const found = await preflight(plan, target);
  await requireHealthy(plan, whole, { target, clock, signal, concurrency: plan.concurrency });
  const lost = new AbortController();
  const acquired = await acquireLease({
    ...{ platform: plan.platform, plan: plan.hash, run: request.runId },
    ...{ holder: holderOf(request.workflow), leases: target.leases, clock, signal },
    onLost: (error) => lost.abort(error),
    lastsMs: GAP_MS,
  });
  const { emit, recorder } = podRecord(request, acquired, undefined);
  try {
    emit(runStarted(plan, 'argo-workflows', acquired.resumed));
    for (const one of found.unexpected) emit({ type: 'run.warning', message: leftAlone(one) });
    await hold(request, acquired, found, emit, lost);
    return acquired.run;
  } finally {
    await recorder.close();
    await acquired.lease.leave();
  }
}

async function hold(
  request: BeginRequest,
  { lease, run }: JoinedLease,
  found: Preflight,
  emit: Emit,
  lost: AbortController,
): Promise<void> {
  const { plan, target, clock, signal } = request;
  const end = new AbortController();
  const runHold = new RunHold({
    ...{ plan, run: { id: run, platform: plan.platform, plan: plan.hash } },
    ...{ projects: target.projects, applications: target.applications },
    ...{ watchProjects: target.watchProjects, found: found.applications, clock, emit },
    watch: await target.watch(namespacesOf(plan), end.signal),
    mayWrite: (deadline) => lease.mayWrite(deadline),
    stop: signal,
    lost: lost.signal,
    onLost: (error) => lost.abort(error),
    leavesWindows: (name) => found.listed.some((view) => view.name === name && view.leavesWindows),
    keep: true,
  });
  try {
    await runHold.prepare();
    if (runHold.heldNodes().length > 0) await clock.sleep(CAUGHT_MS, signal);
    await runHold.complete();
    lost.signal.throwIfAborted();
    await runHold.settle();
  } finally {
    end.abort();
    runHold.close();
  }
}
