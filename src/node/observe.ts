// The first look at a node's Application: does it exist, has this run already started on it, and does its gate hold as it
// is?

import { type AwaitedOperation, type GateInput, traitsOf } from '../gate/conditions.ts';
import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import { operationNodeOf } from '../plan/node-address.ts';
import { type ApplicationView, HYDRATED } from '../ports/application-view.ts';
import type { Cause } from '../run/events.ts';
import { ownAttempt } from '../session/identity.ts';
import { judgeWithLive } from './gate-look.ts';
import {
  awaitNews,
  awaitNewsUnless,
  type Deadline,
  deadlineIn,
  freshLook,
  isOver,
  type LookContext,
  readApplication,
  reporter,
  sleep,
} from './node-context.ts';
import { lastOperation } from './pass-gate.ts';
import { foreignEnd } from './sync-operation.ts';

export type Observed =
  | {
      readonly kind: 'missing';
      readonly message: string;
      /** The failure of another node, if that is the reason. */
      readonly cause?: Cause | undefined;
    }
  | { readonly kind: 'holds'; readonly application: ApplicationView; readonly evidence: Evidence }
  | {
      readonly kind: 'needs-sync';
      readonly application: ApplicationView;
      readonly unmet: Unmet | undefined;
      /** An operation of another client did what this run would do: only its gate is left. */
      readonly adopted?: AwaitedOperation | undefined;
    }
  /** Argo CD did not compare it in time: whether it needs a sync is unknown. */
  | { readonly kind: 'unknown'; readonly application: ApplicationView; readonly unmet: Unmet };

const SECOND_MS = 1_000;
/** A refresh that left no trace is requested again, a limited number of times. */
const REFRESHES_MAX = 8;

export async function observe(context: LookContext): Promise<Observed> {
  const deadline = deadlineIn(context, context.node.timeouts.sync);
  const appeared = await appearance(context, deadline);
  if (!appeared) return absent(context);
  const first = await afterOthers(context, appeared, deadline);
  if (!first) return { kind: 'missing', message: 'the Application was deleted' };
  if (first.deleting) return { kind: 'missing', message: 'the Application is being deleted' };
  if (first.skipped) {
    return {
      kind: 'missing',
      message: 'Argo CD does not reconcile it (annotation skip-reconcile)',
    };
  }
  if (first.hydrated) return { kind: 'missing', message: HYDRATED };
  const begun =
    ownAttempt(context.session.identity, operationNodeOf(context.node), first) !== undefined;
  const never = first.operationState === undefined && first.health.status === 'Missing';
  if (begun || never) return { kind: 'needs-sync', application: first, unmet: undefined };
  return await judgeAfterOthers(context, first, deadline);
}

/**
 * Argo CD may follow its own operation with another one: it compared with objects from before the operation, and heals
 * them.
 */
async function judgeAfterOthers(
  context: LookContext,
  first: ApplicationView,
  deadline: Deadline,
): Promise<Observed> {
  const judged = await judgeAsItIs(context, first, deadline);
  if (judged.kind !== 'needs-sync' || isOver(context, deadline)) return judged;
  const next = await afterOthers(context, judged.application, deadline);
  if (!next) return { kind: 'missing', message: 'the Application was deleted' };
  if (next === judged.application) return judged;
  return await judgeAfterOthers(context, next, deadline);
}

/**
 * An operation that another client started may be sufficient. A parent's operation may wait for its children: do
 * not wait for that one.
 */
async function afterOthers(
  context: LookContext,
  appeared: ApplicationView,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  const own =
    ownAttempt(context.session.identity, operationNodeOf(context.node), appeared) !== undefined;
  if (own || !appeared.operation || context.node.kind !== 'application') return appeared;
  return await foreignEnd(context, reporter(context), deadline, appeared);
}

/** `what`: the message if the parent is not to blame. */
export function absent(
  { walk: { maker } }: LookContext,
  what = 'the Application does not exist in Argo CD',
): Observed & { kind: 'missing' } {
  const cause = maker?.failure();
  const other = maker?.contradiction();
  const message = other
    ? `its Application is in a later sync wave than "${other}", which depends on it: the sync waves contradict the graph; move it to an earlier wave, or remove the dependency`
    : what;
  return { kind: 'missing', message, cause };
}

/** The parent creates a member's Application, so it may appear later. */
async function appearance(
  context: LookContext,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  const { maker } = context.walk;
  const report = reporter(context, 'appearing');
  for (let until = deadline; ; ) {
    const found = await readApplication(context, until);
    if (found) return found;
    const coming = maker !== undefined && !maker.ended.aborted;
    if (maker?.failure() || (isOver(context, until) && !coming)) return undefined;
    if (isOver(context, until) && maker?.contradiction()) return undefined;
    // While its parent is syncing, a later wave may create it.
    if (isOver(context, until)) until = deadlineIn(context, context.node.timeouts.sync);
    report({ condition: 'exists', message: 'its Application does not exist yet' });
    await appearing(context, until);
  }
}

/** Waits until it appears, or its parent has ended. */
async function appearing(context: LookContext, until: Deadline): Promise<void> {
  const { maker } = context.walk;
  if (!maker || maker.ended.aborted) await awaitNews(context, undefined, until);
  else await awaitNewsUnless(context, maker.ended, undefined, until);
}

/**
 * For a node without its own operation: Argo CD makes the comparisons of one Application one after the other, so the
 * second one later than the first look started after it, even if the first request for one was lost.
 */
export async function judgeAsItIs(
  context: LookContext,
  first: ApplicationView,
  deadline: Deadline,
): Promise<Observed> {
  let application = first;
  let seen = first.reconciledAt ?? 0;
  let later = 0;
  const report = reporter(context);
  for (let refreshes = 0; refreshes < REFRESHES_MAX; ) {
    const now = await freshLook(context, deadline);
    if (!now) return { kind: 'missing', message: 'the Application was deleted' };
    application = now;
    if (now.refreshPending) {
      if (isOver(context, deadline)) return notCompared(now, `${LATE} within its timeout`);
      report({ condition: 'compared-afterwards', message: LATE });
    } else refreshes++;
    if (!now.refreshPending && (now.reconciledAt ?? 0) > seen) {
      seen = now.reconciledAt ?? 0;
      later++;
      const verdict = await judgeWithLive(context, deadline, inputOf(context, now, first));
      if (!verdict.open && (later > 1 || !hasJustEnded(now))) {
        const { unmet } = verdict;
        return { kind: 'needs-sync', application, unmet, adopted: adoptable(now, unmet) };
      }
      if (verdict.open && later > 1)
        return { kind: 'holds', application, evidence: verdict.evidence };
    }
    // Comparisons differ only in whole seconds.
    await sleep(context, SECOND_MS);
  }
  // Argo CD does not record a comparison that fails like the previous one: then that error is the reason.
  const input = { ...inputOf(context, application, first), laterThan: -1 };
  const verdict = await judgeWithLive(context, deadline, input);
  if (verdict.open)
    return notCompared(application, 'Argo CD does not compare it when it is refreshed');
  return { kind: 'needs-sync', application, unmet: verdict.unmet };
}

const LATE = 'Argo CD has not compared it again';

/** Not a reason for a sync: that would only add load to an Argo CD that is already late. */
function notCompared(application: ApplicationView, message: string): Observed {
  return { kind: 'unknown', application, unmet: { condition: 'compared-afterwards', message } };
}

/** Argo CD's view of an operation's result lags behind: the first comparison after it may use the previous state. */
function hasJustEnded({ operation, operationState, reconciledAt = 0 }: ApplicationView): boolean {
  if (operation || operationState?.phase !== 'Succeeded') return false;
  return reconciledAt - (operationState.finishedAt ?? 0) <= JUST_ENDED_S;
}

const JUST_ENDED_S = 2;

/** In sync with the desired state, after an operation that succeeded at any commit: another sync would change nothing. */
function adoptable(application: ApplicationView, unmet: Unmet): AwaitedOperation | undefined {
  return traitsOf(unmet.condition).afterSynced ? lastOperation(application) : undefined;
}

function inputOf(
  context: LookContext,
  application: ApplicationView,
  first: ApplicationView,
): Omit<GateInput, 'live' | 'decision'> {
  return {
    application,
    uid: first.uid,
    settings: context.node.gate,
    operation: undefined,
    laterThan: first.reconciledAt ?? 0,
    before: undefined,
    probe: 'unread',
  };
}
