// Waiting at a gate until it opens, with the dwell, or until waiting makes no sense any more.

import { type AwaitedOperation, type GateInput, traitsOf } from '../gate/conditions.ts';
import type { Evidence } from '../gate/evidence.ts';
import { judge } from '../gate/gate.ts';
import { neverSucceeded } from '../gate/probe-result.ts';
import type { Unmet, Verdict } from '../gate/verdict.ts';
import { addressOf } from '../plan/node-address.ts';
import {
  type ApplicationView,
  isOutOfSync,
  isWrong,
  type LiveResource,
  renderResource,
} from '../ports/application-view.ts';
import { operationIdOf } from '../session/identity.ts';
import { readDecision, untilDecided } from './await-decision.ts';
import type { GateProbe } from './gate-probe.ts';
import {
  type Deadline,
  freshLook,
  isOver,
  type LookContext,
  read,
  reporter,
  sleep,
} from './node-context.ts';
import { isUnsettled, ResourceNews } from './resource-news.ts';
import type { AttemptFailure } from './sync-operation.ts';
import { type StoppableTime, suspended } from './sync-time.ts';

export type GateResult =
  | { readonly kind: 'open'; readonly evidence: Evidence; readonly dwellMs: number }
  /** Git moved on: what was deployed is not what a newer commit wants. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

export interface GateWait {
  readonly uid: string;
  /** Undefined where none was needed; then there is no dwell either, since nothing changed. */
  readonly operation: AwaitedOperation | undefined;
  /** The comparison must have begun after this second. */
  readonly laterThan: number;
  readonly time: StoppableTime;
  /** Given by whoever opens the gate for a run. Without it nothing is probed, and that keeps it shut no longer. */
  readonly probe?: GateProbe | undefined;
}

/** Between looks at something that changes without Argo CD telling of it. */
const LOOK_AGAIN_MS = [1_000, 2_000, 5_000] as const;

const SECOND_MS = 1_000;

/** `report` is told what keeps it shut. */
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
    const { application, verdict } = await lookAt(context, wait, undefined);
    if (verdict.open && !wait.operation) {
      // Without an operation to measure by: the second later comparison began after the first look, whatever was swallowed.
      if (++comparisons === 2) return { kind: 'open', evidence: verdict.evidence, dwellMs: 0 };
      wait = { ...wait, laterThan: verdict.evidence.reconciledAt };
      await sleep(context, SECOND_MS);
      continue;
    }
    if (verdict.open) {
      const steady = await dwell(context, wait, verdict.evidence, report);
      if (steady.open)
        return { kind: 'open', evidence: steady.evidence, dwellMs: dwellMs(context) };
      report(steady.unmet);
      noteFall(wait, steady.unmet);
      // One that is never steady must not be looked at for ever.
      if (isOver(context, wait.time.deadline)) return failed(timedOut(steady.unmet), true);
      continue;
    }
    const { unmet } = verdict;
    if (application && isSuperseded(context, application, wait, unmet))
      return { kind: 'superseded' };
    const { passing, learnt } = traitsOf(unmet.condition);
    if (passing === 'never') return failed(unmet, true);
    noteFall(wait, unmet);
    if (unmet.condition === 'right-operation' && wait.operation) {
      // One that came after ours is as good; whether at the right revision, the gate says.
      const other = lastOperation(application);
      if (!other) return failed(unmet, false);
      wait = { ...wait, operation: other, laterThan: other.finishedAt };
      continue;
    }
    if (passing !== 'comparison') comparisons = 0;
    report(unmet);
    if (application && unmet.condition === 'approved') {
      degradedSince = undefined;
      context.walk.entered('asking');
      await suspended(context, wait.time, () => untilDecided(context, application));
      continue;
    }
    if (application && unmet.condition === 'probed' && !isOver(context, wait.time.deadline)) {
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
      return failed(timedOut(await blame(context, unmet)), true);
    const until = Math.min(wait.time.deadline, patience);
    if (application && learnt === 'told') await news.wait(application, until);
    else await untilNextLook(context, looks, until);
  }
}

/** What was tried before something else was wrong says nothing of now. */
function noteFall({ probe }: GateWait, { condition }: Unmet): void {
  if (condition !== 'probed' && traitsOf(condition).passing === 'change') probe?.forget();
}

/** Comparisons are told apart by whole seconds: one in the second of the operation's end would prove nothing. */
function untilAfter({ session }: LookContext, second: number): number {
  return Math.min(SECOND_MS, Math.max(0, (second + 1) * SECOND_MS - session.clock.now()));
}

const dwellMs = ({ node }: LookContext): number => node.gate.dwell * 1000;

/** Names the resource that is to blame, where health is the matter. A tree that cannot be read changes nothing. */
export async function blame({ session, node }: LookContext, unmet: Unmet): Promise<Unmet> {
  if (unmet.condition !== 'healthy') return unmet;
  const culprit = await session.target.applications.culprit(addressOf(node)).catch(() => undefined);
  return culprit ? { ...unmet, ...culprit } : unmet;
}

/** A fresh comparison, the live objects where it is worth it, and the verdict on them. */
async function lookAt(
  context: LookContext,
  { uid, operation, laterThan, time: { deadline }, probe }: GateWait,
  before: Evidence | undefined,
): Promise<{ application: ApplicationView | undefined; verdict: Verdict }> {
  const application = await freshLook(context, deadline);
  if (!application) {
    const message = 'the Application was deleted';
    return { application, verdict: { open: false, unmet: { condition: 'same-object', message } } };
  }
  const settings = context.node.gate;
  const probed: GateInput['probe'] = probe ? probe.resultOn(application) : 'unread';
  const input = { application, uid, settings, operation, laterThan, before, probe: probed };
  const verdict = await judgeWithLive(context, deadline, input);
  return { application, verdict: naming(context, application, verdict) };
}

/** A child that nobody planned keeps the gate of its parent shut as well, and nobody would look there. */
function naming(context: LookContext, { resources }: ApplicationView, verdict: Verdict): Verdict {
  if (verdict.open || context.node.kind !== 'close') return verdict;
  if (verdict.unmet.condition !== 'healthy' && verdict.unmet.condition !== 'synced') return verdict;
  const child = resources.find(
    (it) => it.kind === 'Application' && isWrong(it) && !context.walk.isExpected(it.name),
  );
  if (!child) return verdict;
  const state = isOutOfSync(child.status) ? child.status : child.health?.status;
  const message = `Application "${child.name}", which is not in the platform file, is ${state}`;
  const resource = renderResource(child);
  return { open: false, unmet: { condition: 'unexpected-child', message, resource } };
}

/** The live objects and people's decisions are asked for only when everything else holds. */
export async function judgeWithLive(
  context: LookContext,
  deadline: Deadline,
  input: Omit<GateInput, 'live' | 'decision'>,
): Promise<Verdict> {
  const first = judge({ ...input, live: [], decision: 'unread', probe: 'unread' });
  if (!first.open) return first;
  const { applications } = context.session.target;
  const live: readonly LiveResource[] = await read(context, deadline, () =>
    applications.liveResources(addressOf(context.node)),
  );
  if (input.settings.approval === undefined) return judge({ ...input, live, decision: undefined });
  const decision = await read(context, deadline, () => readDecision(context, input.application));
  return judge({ ...input, live, decision });
}

/**
 * A newer commit counts only where it leaves the Application OutOfSync; just after an operation, what is OutOfSync may only
 * be what Argo CD has not seen yet. What was Synced when its probe began needs no operation to compare with; a close makes none.
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
  if (!operation) return probe !== undefined && node.kind !== 'close';
  return revisions.join() !== operation.revisions.join();
}

async function dwell(
  context: LookContext,
  wait: GateWait,
  before: Evidence,
  report: (unmet: Unmet) => void,
): Promise<Verdict> {
  const message = `it must stay so for ${context.node.gate.dwell}s`;
  context.emit({
    type: 'node.waiting',
    node: context.node.id,
    unmet: { condition: 'dwell', message },
  });
  context.walk.entered('dwelling');
  await sleep(context, dwellMs(context));
  for (let looks = 0; ; looks++) {
    const { verdict } = await lookAt(context, wait, before);
    // A comparison that is late is waited for: whoever began the dwell anew would wait for the next one just as long.
    const isLate = !verdict.open && traitsOf(verdict.unmet.condition).passing === 'comparison';
    if (!isLate || isOver(context, wait.time.deadline)) return verdict;
    report(verdict.unmet);
    await untilNextLook(context, looks, wait.time.deadline);
  }
}

/** Where it succeeded. */
export function lastOperation(
  application: ApplicationView | undefined,
): AwaitedOperation | undefined {
  const state = application?.operationState;
  if (state?.phase !== 'Succeeded' || state.finishedAt === undefined) return undefined;
  return { id: operationIdOf(state), finishedAt: state.finishedAt, revisions: state.revisions };
}

function isDegraded(application: ApplicationView | undefined): boolean {
  return application?.health.status === 'Degraded';
}

/** Freshness and generations have to be asked for; everything else is told. */
async function untilNextLook(context: LookContext, looks: number, until: Deadline): Promise<void> {
  const step = LOOK_AGAIN_MS[Math.min(looks, LOOK_AGAIN_MS.length - 1)] ?? 0;
  await sleep(context, Math.min(step, Math.max(0, until - context.session.clock.monotonic())));
}

function timedOut(unmet: Unmet): Unmet {
  if (unmet.condition === 'probed') return { ...unmet, message: neverSucceeded(unmet.message) };
  return { ...unmet, message: `not Healthy within its timeout; ${unmet.message}` };
}

function failed({ message, resource }: Unmet, final: boolean): GateResult {
  return { kind: 'failed', failure: { message, resource, final } };
}
