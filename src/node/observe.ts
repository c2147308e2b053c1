// The first look at a node's Application: is it there, did this run begin with it already, and does its gate hold as it is?

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
      /** Somebody else's failure, where that is why. */
      readonly cause?: Cause | undefined;
    }
  | { readonly kind: 'holds'; readonly application: ApplicationView; readonly evidence: Evidence }
  | {
      readonly kind: 'needs-sync';
      readonly application: ApplicationView;
      readonly unmet: Unmet | undefined;
      /** Somebody's operation that did what ours would do: only its gate has to be waited for. */
      readonly adopted?: AwaitedOperation | undefined;
    }
  /** Argo CD did not compare it in time: whether it needs a sync cannot be said. */
  | { readonly kind: 'unknown'; readonly application: ApplicationView; readonly unmet: Unmet };

const SECOND_MS = 1_000;
/** A refresh that was done and left no trace is asked for again, but not for ever. */
const REFRESHES_MAX = 8;

export async function observe(context: LookContext): Promise<Observed> {
  const deadline = deadlineIn(context, context.node.timeouts.sync);
  const appeared = await appearance(context, deadline);
  if (!appeared) return absent(context);
  const first = await afterOthers(context, appeared, deadline);
  if (!first) return { kind: 'missing', message: 'the Application was deleted' };
  if (first.deleting) return { kind: 'missing', message: 'it is being deleted' };
  if (first.skipped) {
    return { kind: 'missing', message: 'Argo CD was told to skip it (skip-reconcile)' };
  }
  if (first.hydrated) return { kind: 'missing', message: HYDRATED };
  const begun =
    ownAttempt(context.session.identity, operationNodeOf(context.node), first) !== undefined;
  const never = first.operationState === undefined && first.health.status === 'Missing';
  if (begun || never) return { kind: 'needs-sync', application: first, unmet: undefined };
  return await judgeAfterOthers(context, first, deadline);
}

/** Argo CD may follow its own operation with another one: it has compared with objects from before, and heals them. */
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

/** What somebody else has begun may be all that is needed. A parent's operation may wait for its children: not for it. */
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

/** `what`: what is the matter where its parent is not to blame. */
export function absent(
  { walk: { maker } }: LookContext,
  what = 'Argo CD has no such Application',
): Observed & { kind: 'missing' } {
  const cause = maker?.failure();
  const other = maker?.contradiction();
  const message = other
    ? `its Application is made in a sync wave after "${other}", which depends on it: the wave contradicts the graph; move it to an earlier wave, or take the dependency out`
    : what;
  return { kind: 'missing', message, cause };
}

/** A member's Application is made by its parent, so it may come later. */
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
    // As long as its parent is being synced, a later wave may bring it.
    if (isOver(context, until)) until = deadlineIn(context, context.node.timeouts.sync);
    report({ condition: 'exists', message: 'its Application does not exist yet' });
    await appearing(context, until);
  }
}

/** Until something is seen of it, or its parent has come to an end. */
async function appearing(context: LookContext, until: Deadline): Promise<void> {
  const { maker } = context.walk;
  if (!maker || maker.ended.aborted) await awaitNews(context, undefined, until);
  else await awaitNewsUnless(context, maker.ended, undefined, until);
}

/**
 * Without an operation of its own to measure by: comparisons of one Application are made one after the other, so the
 * second one that is later than the first look began after it, even if the first request for one was swallowed.
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
    // Comparisons are told apart by whole seconds.
    await sleep(context, SECOND_MS);
  }
  // Argo CD does not note a comparison that fails as the last one did: then that is the matter.
  const input = { ...inputOf(context, application, first), laterThan: -1 };
  const verdict = await judgeWithLive(context, deadline, input);
  if (verdict.open) return notCompared(application, 'Argo CD does not compare it when asked to');
  return { kind: 'needs-sync', application, unmet: verdict.unmet };
}

const LATE = 'Argo CD has not compared it since';

/** No reason for a sync: that would only give an Argo CD that is late more to do. */
function notCompared(application: ApplicationView, message: string): Observed {
  return { kind: 'unknown', application, unmet: { condition: 'compared-afterwards', message } };
}

/** Argo CD's view of what an operation did lags behind: just after it, the first comparison may be with what was before. */
function hasJustEnded({ operation, operationState, reconciledAt = 0 }: ApplicationView): boolean {
  if (operation || operationState?.phase !== 'Succeeded') return false;
  return reconciledAt - (operationState.finishedAt ?? 0) <= JUST_ENDED_S;
}

const JUST_ENDED_S = 2;

/** In sync with what is wanted, after an operation that succeeded at whatever commit: another one would change nothing. */
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
