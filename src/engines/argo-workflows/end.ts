// The last pod of a Workflow, however it ended: tells what came of every node, hands over what is good, gives the Lease back.
// What went through its gate is handed over, as the run's record says: what that has lost stays held.
import type { Plan } from '../../plan/plan.ts';
import { readRun, removeParts, unrecorded } from '../../record/history.ts';
import { type Cause, type Emit, isThrough, THE_RUN } from '../../run/events.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { type Report, reportOf } from '../../run/report.ts';
import { RunFold, sinceItStarted } from '../../run/run-state.ts';
import { countsOf, mixedRevisions, outcomesOf } from '../../run/tally.ts';
import { heldApplications, holdableNodes } from '../hold/held.ts';
import { addressOf } from '../node-address.ts';
import { NOTHING_DONE } from '../results.ts';
import { endTeardown } from './end-teardown.ts';
import { DONE, type Ending, type EndRequest, type Stop, stopAs, stopBy } from './ending.ts';
import { joinToEnd, type PodRequest, podKeeper, podRecord } from './pod.ts';

/** Undefined where the Workflow has no run to end: it never began, or another one has taken over. */
export async function endRun(request: EndRequest): Promise<Report | undefined> {
  const { plan, target } = request;
  const joined = await joinToEnd(request, request.ender);
  if (!joined) return undefined;
  const { lease, run } = joined;
  const history = await readRun(target.store, plan.platform, run);
  const fold = new RunFold();
  const listen: PodRequest['listen'] = (event) => {
    fold.add(event);
    request.listen(event);
  };
  const record = podRecord({ ...request, listen }, joined, undefined);
  for (const event of sinceItStarted(history?.own ?? [])) fold.add(event);
  for (const event of history?.loose ?? []) fold.add(event);
  // An end before this one may have put some of it there.
  for (const event of unrecorded(history)) record.recorder.append(event);
  let stop: Stop | undefined;
  let isTold = false;
  try {
    stop = tellTheRest(request, fold, record.emit);
    const ending = { request, joined, fold, emit: record.emit, stop };
    if (request.teardown) await endTeardown(ending, request.teardown);
    else {
      await handOver(ending);
      await finish(ending);
    }
    isTold = true;
    return reportOf(plan, fold.state);
  } finally {
    const isWhole = await record.recorder.close();
    if (isTold && isWhole)
      await removeParts(target.store, plan.platform, run, () => lease.mayWrite()).catch(() => {});
    // Another process does it again from the beginning, or the next run.
    if (isTold) await lease.release({ finished: stop?.end === 'done' });
    else await lease.leave();
  }
}

/** What Argo Workflows left out because of a failure was skipped; what is left otherwise, because the run was ended. */
function tellTheRest(request: EndRequest, fold: RunFold, emit: Emit): Stop {
  const { plan } = request;
  const causes = new Map<string, Cause>();
  let stop = toldStop(plan, fold);
  for (const node of plan.nodes) {
    const known = fold.state.nodes.get(node.id);
    const bad = known?.outcome === 'failed' || known?.outcome === 'skipped';
    if (bad) causes.set(node.id, known.cause ?? { node: node.id, message: 'failed' });
    if (known?.phase === 'finished') continue;
    const before = node.dependsOn.find((id) => causes.has(id));
    const behind = before === undefined ? undefined : causes.get(before);
    if (behind) {
      causes.set(node.id, behind);
      emit({ ...NOTHING_DONE, node: node.id, outcome: 'skipped', cause: behind });
    } else if (node.application !== null) {
      stop ??= stopBy(endOf(request));
      const cause = { node: THE_RUN, message: stop.reason ?? '' };
      causes.set(node.id, cause);
      const outcome = known ? 'failed' : 'skipped';
      emit({ ...NOTHING_DONE, node: node.id, outcome, cause });
    }
  }
  return stop ?? DONE;
}

/** A node has said it, or an end before this one that did not get through. */
function toldStop({ nodes }: Plan, { state }: RunFold): Stop | undefined {
  const causes = nodes.map(({ id }) => state.nodes.get(id)?.cause);
  const told = causes.find((cause) => cause?.node === THE_RUN);
  return told && stopAs(told.message);
}

function endOf({ clock, runStartedAt, runTimeout }: EndRequest): 'time-up' | 'interrupted' {
  return clock.now() - runStartedAt >= runTimeout * 1000 ? 'time-up' : 'interrupted';
}

/** Whose gate this run has opened: what fell since then is Argo CD's to heal. */
async function handOver({ request, joined, fold }: Ending): Promise<void> {
  const { plan, target, clock, signal, keepHold } = request;
  if (keepHold) return;
  const held = (await heldApplications(plan, target)).filter(({ isGone }) => !isGone);
  const { nodes } = fold.state;
  const free = held
    .filter(({ id }) => isThrough(nodes.get(id)?.outcome))
    .map(({ address }) => address);
  if (free.length === 0) return;
  const keeper = podKeeper(request, joined);
  try {
    await keeper.survey(holdableNodes(plan).map(addressOf));
    for (const address of free) keeper.release(address);
    await keeper.flush();
    // Nothing but a request makes Argo CD look soon at what it may sync again.
    const looks = free.map((address) => target.applications.refresh(address));
    const looked = new AbortController();
    const patience = clock.sleep(REFRESH_MS, AbortSignal.any([signal, looked.signal]));
    await Promise.race([Promise.allSettled(looks), patience]);
    looked.abort();
  } finally {
    keeper.stop();
  }
}

const REFRESH_MS = 30_000;

async function finish({ request, joined, fold, emit, stop }: Ending): Promise<void> {
  const { plan, target } = request;
  const { nodes } = fold.state;
  const held = (await heldApplications(plan, target)).map(({ id }) => id);
  if (joined.lease.lost) throw joined.lease.lost;
  for (const message of mixedRevisions(plan, nodes)) emit({ type: 'run.warning', message });
  const { end, reason } = stop;
  const exitStatus = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end });
  emit({ type: 'run.finished', exitStatus, reason, counts: countsOf(plan, nodes), held });
}
