// The last pod of a Workflow, however it ended: tells what came of every node, hands over what is good, gives the Lease back.
// What is handed over is decided by the gates as they are now; the record only says what to report.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { readRun, removeParts } from '../../record/history.ts';
import { type Cause, type Emit, type RunEvent, THE_RUN } from '../../run/events.ts';
import { exitStatusOf, type RunEnd } from '../../run/exit-status.ts';
import { type Report, reportOf } from '../../run/report.ts';
import { RunFold } from '../../run/run-state.ts';
import { countsOf, mixedRevisions, outcomesOf } from '../../run/tally.ts';
import { heldApplications, isHoldable } from '../hold/held.ts';
import { lookAtAll } from '../look.ts';
import { addressOf } from '../node-address.ts';
import { NOTHING_DONE } from '../results.ts';
import { endTeardown } from './end-teardown.ts';
import { type Ending, type EndRequest, reasonOf } from './ending.ts';
import { type JoinedLease, joinLease, type PodRequest, podKeeper, podRecord } from './pod.ts';

/** Undefined where the Workflow has no run to end: it never began, or another one has taken over. */
export async function endRun(request: EndRequest): Promise<Report | undefined> {
  const { plan, target } = request;
  const joined = await joinLease(request, () => {});
  if (!joined) return undefined;
  const { lease, run } = joined;
  const history = await readRun(target.store, plan.platform, run);
  const fold = new RunFold();
  const listen: PodRequest['listen'] = (event) => {
    fold.add(event);
    request.listen(event);
  };
  const record = podRecord({ ...request, listen }, joined, undefined);
  for (const event of sinceItStarted(history?.events ?? [])) fold.add(event);
  // What the pods wrote goes into the run's own record.
  for (const event of history?.loose ?? []) record.recorder.append(event);
  let end: RunEnd = 'interrupted';
  try {
    end = tellTheRest(request, fold, record.emit);
    const ending = { request, joined, fold, emit: record.emit, end };
    if (request.teardown) await endTeardown(ending, request.teardown);
    else {
      await handOver(request, joined);
      await finish(ending);
    }
    return reportOf(plan, fold.state);
  } finally {
    await record.recorder.close();
    await removeParts(target.store, plan.platform, run).catch(() => undefined);
    await lease.release({ finished: end === 'done' });
  }
}

/** A run that continues another one has that one's record before its own. */
function sinceItStarted(events: readonly RunEvent[]): readonly RunEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === 'run.started'));
}

/** What Argo Workflows left out because of a failure was skipped; what is left otherwise, because the run was ended. */
function tellTheRest(request: EndRequest, fold: RunFold, emit: Emit): RunEnd {
  const { plan } = request;
  const causes = new Map<string, Cause>();
  let stopped: RunEnd | undefined;
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
      stopped ??= endOf(request);
      const cause = { node: THE_RUN, message: reasonOf(stopped) ?? '' };
      causes.set(node.id, cause);
      const outcome = known ? 'failed' : 'skipped';
      emit({ ...NOTHING_DONE, node: node.id, outcome, cause });
    }
  }
  return stopped ?? 'done';
}

function endOf({ clock, runStartedAt, runTimeout }: EndRequest): RunEnd {
  return clock.now() - runStartedAt >= runTimeout * 1000 ? 'time-up' : 'interrupted';
}

/** Whose gate is open, and so are all that it depends on: what was skipped is behind one that is shut. */
async function handOver(request: EndRequest, joined: JoinedLease): Promise<void> {
  const { plan, target, clock, signal, keepHold } = request;
  if (keepHold) return;
  const held = (await heldApplications(plan, target)).filter(({ isGone }) => !isGone);
  if (held.length === 0) return;
  const good = await goodNodes(request);
  const free = held.filter(({ id }) => good.has(id)).map(({ address }) => address);
  if (free.length === 0) return;
  const keeper = podKeeper(request, joined);
  try {
    await keeper.survey(plan.nodes.filter(isHoldable).map(addressOf));
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

async function goodNodes({ plan, target, clock, signal }: EndRequest): Promise<Set<string>> {
  const judged = plan.nodes.filter(isHoldable);
  const parts = { target, clock, signal, concurrency: plan.concurrency, refresh: false };
  const shut = new Set<string>();
  for (const { node, unmet } of await lookAtAll(judged, parts)) if (unmet) shut.add(node.id);
  return openOnes(plan, shut);
}

function openOnes({ nodes }: Plan, shut: ReadonlySet<string>): Set<string> {
  const good = new Set<string>();
  const isGood = ({ id, dependsOn }: PlanNode) =>
    !shut.has(id) && dependsOn.every((before) => good.has(before));
  for (const node of nodes) if (isGood(node)) good.add(node.id);
  return good;
}

async function finish({ request, fold, emit, end }: Ending): Promise<void> {
  const { plan, target } = request;
  const { nodes } = fold.state;
  const held = (await heldApplications(plan, target)).map(({ id }) => id);
  for (const message of mixedRevisions(plan, nodes)) emit({ type: 'run.warning', message });
  const exitStatus = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end });
  const reason = reasonOf(end);
  emit({ type: 'run.finished', exitStatus, reason, counts: countsOf(plan, nodes), held });
}
