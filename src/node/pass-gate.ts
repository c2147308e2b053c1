// Waits at a gate until it opens, including the dwell, or until waiting is pointless.

import { type AwaitedOperation, traitsOf } from '../gate/conditions.ts';
import { awaitsPruning } from '../gate/drift.ts';
import type { Evidence } from '../gate/evidence.ts';
import { neverSucceeded } from '../gate/probe-result.ts';
import type { Unmet } from '../gate/verdict.ts';
import { renderDuration } from '../model/duration.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { operationIdOf } from '../session/identity.ts';
import { untilDecided } from './await-decision.ts';
import { dwell, dwellMs } from './dwell.ts';
import { blame, DELETED, type GateWait, lookAt, untilNextLook } from './gate-look.ts';
import { isOver, type LookContext, reporter, sleep } from './node-context.ts';
import { isUnsettled, ResourceNews } from './resource-news.ts';
import type { AttemptFailure } from './sync-operation.ts';
import { suspended } from './sync-time.ts';

export type GateResult =
  | { readonly kind: 'open'; readonly evidence: Evidence; readonly dwellMs: number }
  /** Git has a newer commit: what was deployed is no longer what Git wants. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

const SECOND_MS = 1_000;

/** `report` receives what keeps the gate shut. */
export async function passGate(
  context: LookContext,
  wait: GateWait,
  report: (unmet: Unmet) => void = reporter(context),
): Promise<GateResult> {
  const news = new ResourceNews(context);
  try {
    return await pass(context, wait, news, report);
  } finally {
    news.close();
  }
}

async function pass(
  context: LookContext,
  first: GateWait,
  news: ResourceNews,
  report: (unmet: Unmet) => void,
): Promise<GateResult> {
  const { degradedGrace } = context.node.gate;
  let wait = first;
  let degradedSince: number | undefined;
  let comparisons = 0;
  if (wait.operation) await sleep(context, untilAfter(context, wait.laterThan));
  for (let looks = 0; ; looks++) {
    const look = await lookAt(context, wait, undefined);
    if (!look) return failed(DELETED, true);
    const { application, verdict } = look;
    if (verdict.open && !wait.operation) {
      // Without an operation to measure by: the second later comparison started after the first look, even if a request
      // was lost.
      if (++comparisons === 2) return { kind: 'open', evidence: verdict.evidence, dwellMs: 0 };
      wait = { ...wait, laterThan: verdict.evidence.reconciledAt };
      await sleep(context, SECOND_MS);
      continue;
    }
    if (verdict.open) {
      const steady = await dwell(context, wait, { seen: application, ...verdict }, report);
      if (steady.open)
        return { kind: 'open', evidence: steady.evidence, dwellMs: dwellMs(context) };
      report(steady.unmet);
      noteFall(wait, steady.unmet);
      // An Application that is never steady must not be looked at forever.
      if (isOver(context, wait.time.deadline)) return failed(timedOut(context, steady.unmet), true);
      continue;
    }
    const { unmet } = verdict;
    if (isSuperseded(context, application, wait, unmet)) return { kind: 'superseded' };
    const { passing, learnt } = traitsOf(unmet.condition);
    if (passing === 'never') return failed(unmet, true);
    noteFall(wait, unmet);
    if (unmet.condition === 'right-operation' && wait.operation) {
      // A later operation is as good as ours; the gate checks its revision.
      const other = lastOperation(application);
      if (!other) return failed(unmet, false);
      wait = { ...wait, operation: other, laterThan: other.finishedAt };
      continue;
    }
    if (passing !== 'comparison') comparisons = 0;
    report(unmet);
    if (unmet.condition === 'approved') {
      degradedSince = undefined;
      context.walk.entered('asking');
      await suspended(context, wait.time, () => untilDecided(context, application));
      continue;
    }
    if (unmet.condition === 'probed' && !isOver(context, wait.time.deadline)) {
      degradedSince = undefined;
      if (wait.probe?.isSpent) return failed(unmet, false);
      await wait.probe?.proceed(application, wait.time.deadline);
      continue;
    }
    const now = context.session.clock.monotonic();
    degradedSince = isDegraded(application) ? (degradedSince ?? now) : undefined;
    const patience = degradedSince === undefined ? Infinity : degradedSince + degradedGrace * 1000;
    if (isOver(context, patience)) return failed(await blame(context, unmet), false);
    if (isOver(context, wait.time.deadline))
      return failed(timedOut(context, await blame(context, unmet)), true);
    const until = Math.min(wait.time.deadline, patience);
    if (learnt === 'told') await news.wait(application, until);
    else await untilNextLook(context, looks, until);
  }
}

/** Probes from before another problem prove nothing about the current state. */
function noteFall({ probe }: GateWait, { condition }: Unmet): void {
  if (condition !== 'probed' && traitsOf(condition).passing === 'change') probe?.forget();
}

/** Comparisons differ only in whole seconds: one in the second of the operation's end would prove nothing. */
function untilAfter({ session }: LookContext, second: number): number {
  return Math.min(SECOND_MS, Math.max(0, (second + 1) * SECOND_MS - session.clock.now()));
}

/**
 * A newer commit counts only if it leaves the Application OutOfSync. Right after an operation, OutOfSync may only mean
 * that Argo CD has not seen the result yet, and resources that wait for pruning stay OutOfSync after a sync without prune.
 * An Application that was Synced when its probe started needs no operation to compare with; a close makes none.
 */
function isSuperseded(
  { node }: LookContext,
  application: ApplicationView,
  { operation, probe }: GateWait,
  { condition }: Unmet,
): boolean {
  if (condition !== 'synced' && condition !== 'unexpected-child') return false;
  const { status, revisions } = application.sync;
  if (status !== 'OutOfSync' || isUnsettled(application)) return false;
  if (awaitsPruning(application) && !application.automated?.prune) return false;
  if (!operation) return probe !== undefined && node.kind !== 'close';
  return revisions.join() !== operation.revisions.join();
}

/** The operation, if it succeeded. */
export function lastOperation(
  application: ApplicationView | undefined,
): AwaitedOperation | undefined {
  const state = application?.operationState;
  if (state?.phase !== 'Succeeded' || state.finishedAt === undefined) return undefined;
  return { id: operationIdOf(state), finishedAt: state.finishedAt, revisions: state.revisions };
}

function isDegraded(application: ApplicationView): boolean {
  return application.health.status === 'Degraded';
}

function timedOut({ node }: LookContext, unmet: Unmet): Unmet {
  const within = `within ${renderDuration(node.timeouts.health)} (timeouts.health)`;
  const message =
    unmet.condition === 'probed'
      ? neverSucceeded(unmet.message, within)
      : `not Healthy ${within}; ${unmet.message}`;
  return { ...unmet, message };
}

function failed({ message, resource }: Unmet, final: boolean): GateResult {
  return { kind: 'failed', failure: { message, resource, final } };
}
