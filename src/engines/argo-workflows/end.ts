// The last pod of a Workflow, however it ended: reports the result of every node, hands over healthy applications, gives
// the Lease back. Applications whose gate opened according to the run's record are handed over: what the record has lost
// stays on hold.

import { ALONE } from '../../node/node-context.ts';
import { addressOf, namespacesOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { type Report, reportOf } from '../../report/run-report.ts';
import { countsOf, mixedRevisions, outcomesOf } from '../../report/tally.ts';
import { type Cause, isThrough, THE_RUN } from '../../run/events.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { type RunState, sinceItStarted } from '../../run/run-state.ts';
import { heldApplications, holdableNodes } from '../../session/hold/held.ts';
import { refreshHeld } from '../../session/hold/refresh-held.ts';
import { interrupted } from '../../session/interrupted.ts';
import { joinToEnd, othersEndMs } from '../../session/open-session.ts';
import { readRun, unrecorded } from '../../session/record/history.ts';
import type { Session } from '../../session/session.ts';
import { judgeAtEnd } from '../judge-at-end.ts';
import { NOTHING_DONE } from '../node-results.ts';
import { endTeardown } from './end-teardown.ts';
import { DONE, type Ending, type EndRequest, type Stop, stopBy } from './ending.ts';
import { sessionRequest } from './pod.ts';

/** Undefined if the Workflow has no run to complete: it never started, or another one has taken over. */
export async function endRun(request: EndRequest): Promise<Report | undefined> {
  const { plan, target } = request;
  const session = await joinToEnd(sessionRequest(request), request.ender);
  if (!session) return undefined;
  const history = await readRun(target.store, plan.platform, session.identity.id);
  session.recall([...sinceItStarted(history?.own ?? []), ...(history?.loose ?? [])]);
  // An earlier end may have written a part of it.
  session.record(unrecorded(history));
  let stop: Stop | undefined;
  let isTold = false;
  try {
    stop = tellTheRest(request, session);
    const ending = { request, session, stop };
    if (request.teardown) await endTeardown(ending, request.teardown);
    else {
      await handOver(ending);
      await judgeOnceMore(ending);
      await finish(ending);
    }
    isTold = true;
    return reportOf(plan, session.state);
  } finally {
    const isWhole = await session.close();
    if (isTold && isWhole) await session.removeParts().catch(() => {});
    // Another process repeats it from the start, or the next run.
    if (!isTold) await session.detach();
    else {
      // A pod that was lost, or is terminating, may still exist, and write for as long as it believes it has the Lease.
      if (stop?.end !== 'done') await request.clock.sleep(othersEndMs(plan), session.lost);
      await session.release({ finished: stop?.end === 'done' });
    }
  }
}

/**
 * Nodes that Argo Workflows omitted because of a failure were skipped; other unfinished nodes were interrupted because the
 * run was ended.
 */
function tellTheRest(request: EndRequest, { state, emit }: Session): Stop {
  const { plan } = request;
  const causes = new Map<string, Cause>();
  let stop = toldStop(plan, state);
  for (const node of plan.nodes) {
    const known = state.nodes.get(node.id);
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
      const cause = { node: THE_RUN, message: stop.reason ?? '', end: stop.end };
      causes.set(node.id, cause);
      const outcome = known ? 'failed' : 'skipped';
      emit({ ...NOTHING_DONE, node: node.id, outcome, cause });
    }
  }
  return stop ?? DONE;
}

/** A node reported it, or an earlier end that did not complete. */
function toldStop({ nodes }: Plan, state: RunState): Stop | undefined {
  const causes = nodes.map(({ id }) => state.nodes.get(id)?.cause);
  const told = causes.find((cause) => cause?.node === THE_RUN);
  return told && { end: told.end ?? 'lost', reason: told.message };
}

function endOf({ clock, runStartedAt, runTimeout }: EndRequest): 'time-up' | 'interrupted' {
  return clock.now() - runStartedAt >= runTimeout * 1000 ? 'time-up' : 'interrupted';
}

/** The applications whose gate this run opened: if one became unhealthy since, Argo CD may heal it. */
async function handOver({ request, session }: Ending): Promise<void> {
  const { plan, target, clock, signal, keepHold } = request;
  if (keepHold) return;
  const held = (await heldApplications(plan, target)).filter(({ isGone }) => !isGone);
  const { nodes } = session.state;
  const free = held
    .filter(({ id }) => isThrough(nodes.get(id)?.outcome))
    .map(({ address }) => address);
  if (free.length === 0) return;
  const writer = session.holdWriter();
  try {
    await writer.survey(holdableNodes(plan).map(addressOf));
    for (const address of free) writer.release(address);
    await writer.flush();
    const looked = new AbortController();
    const patience = clock.sleep(REFRESH_MS, AbortSignal.any([signal, looked.signal]));
    await Promise.race([refreshHeld(free, target), patience]);
    looked.abort();
  } finally {
    writer.stop();
  }
}

const REFRESH_MS = 30_000;

/** As long as its own timeout, and that of the run, allow. */
async function judgeOnceMore({ request, session, stop }: Ending): Promise<void> {
  if (stop.end !== 'done') return;
  const { plan, clock, signal, runStartedAt, runTimeout } = request;
  const left = runTimeout - (clock.now() - runStartedAt) / 1000;
  const ended = AbortSignal.any([signal, session.lost]);
  let watch: Promise<Watch> | undefined;
  await judgeAtEnd({
    ...{ plan, session },
    most: Math.max(0, Math.min(left, JUDGE_SECONDS)),
    contextOf: async (node) => {
      watch ??= session.watch(namespacesOf(plan));
      return { session, node, watch: await watch, emit: () => {}, walk: ALONE, signal: ended };
    },
    // Another end repeats all of it: unfinished results of this one are not reported.
    emit: (event) => {
      if (!ended.aborted) session.emit(event);
    },
  });
  if (signal.aborted) throw interrupted();
}

/** Far less than the timeout of a Workflow's end. */
const JUDGE_SECONDS = 300;

async function finish({ request, session, stop }: Ending): Promise<void> {
  const { plan, target, strict } = request;
  const { nodes, bypasses } = session.state;
  const held = (await heldApplications(plan, target)).map(({ id }) => id);
  session.assertOwned();
  for (const message of mixedRevisions(plan, nodes)) session.warn(message);
  const { end, reason } = stop;
  const bypassed = strict === true && bypasses.length > 0;
  const exitStatus = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end, bypassed });
  const counts = countsOf(plan, nodes);
  session.emit({ type: 'run.finished', exitStatus, reason, counts, held });
}
