// The two halves of a parent's Application (a stack's own, or the root): open syncs it, close passes its gate. Its
// children come up in between, so open lets them start before the operation ends: if the children have sync waves, the
// operation waits for them.

import { traitsOf } from '../gate/conditions.ts';
import { operationNodeOf } from '../plan/node-address.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { Abandoned } from '../session/abandoned.ts';
import { type Attempt, operationId, ownAttempt } from '../session/identity.ts';
import { isUndecided } from './await-decision.ts';
import { endLeftOver } from './end-operation.ts';
import type { GateWait } from './gate-look.ts';
import { GateProbe } from './gate-probe.ts';
import {
  awaitNews,
  type Deadline,
  deadlineIn,
  isOver,
  type NodeContext,
  readApplication,
  reporter,
  sleep,
} from './node-context.ts';
import { judgeAsItIs, type Observed, observe } from './observe.ts';
import { type GateResult, passGate } from './pass-gate.ts';
import { type NodeResult, Progress } from './progress.ts';
import { requestOperation } from './request-operation.ts';
import { backoff, syncUntilHealthy } from './run-node.ts';
import { awaitOperation, foreignEnd, type OperationResult } from './sync-operation.ts';
import { syncTime, timeUntil } from './sync-time.ts';

const FIRST: Attempt = { number: 1, superseded: 0 };

export async function openParent(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(() => begin(context, progress));
}

/** A finished operation of this run proves nothing about the current state: Git may have a newer commit, or it failed. */
async function observeParent(context: NodeContext): Promise<Observed> {
  const observed = await observe(context);
  if (observed.kind !== 'needs-sync' || observed.unmet) return observed;
  const { application } = observed;
  if (application.operation || !application.operationState) return observed;
  const deadline = deadlineIn(context, context.node.timeouts.sync);
  return await judgeAsItIs(context, application, deadline);
}

/** Its members may start as soon as an operation is running; the operation is watched to its end, and retried if it fails. */
async function begin(context: NodeContext, progress: Progress): Promise<NodeResult> {
  let current: ApplicationView | undefined;
  const opened = (application: ApplicationView) => {
    current = application;
    context.walk.parent?.opened();
  };
  try {
    return await open(context, progress, opened);
  } catch (error) {
    if (!(error instanceof Abandoned) || !current) throw error;
    return progress.opened(current);
  }
}

async function open(
  context: NodeContext,
  progress: Progress,
  opened: (application: ApplicationView) => void,
): Promise<NodeResult> {
  for (;;) {
    const observed = await observeParent(context);
    if (observed.kind === 'missing') return progress.missing(observed);
    progress.found(observed.application);
    if (observed.kind === 'unknown') return progress.fail(observed.unmet);
    if (observed.kind === 'holds')
      return progress.unchanged(observed.application, observed.evidence);
    await context.walk.ensureHold();
    const { application, unmet } = observed;
    // Anything else that is unmet depends on the children.
    if (unmet && traitsOf(unmet.condition).afterSynced) return progress.opened(application);
    const own =
      ownAttempt(context.session.identity, operationNodeOf(context.node), application) !==
      undefined;
    if (own || !application.operation)
      return await syncUntilMade(context, application, progress, () => opened(application));
    // An operation of another client may also wait for the children, and they for this run.
    opened(application);
    if (!context.walk.parent) return progress.opened(application);
    await foreignEnd(relievable(context), reporter(context), Number.POSITIVE_INFINITY);
  }
}

async function syncUntilMade(
  context: NodeContext,
  application: ApplicationView,
  progress: Progress,
  opened: () => void,
): Promise<NodeResult> {
  const { retries } = context.node;
  const own = ownAttempt(context.session.identity, operationNodeOf(context.node), application);
  let attempt = own ? next(own, application) : FIRST;
  let underWay = own !== undefined && application.operation !== undefined;
  const last = attempt.number + retries.maxAttempts - 1;
  for (let tries = 0; ; tries++) {
    progress.syncing(
      operationId(context.session.identity, operationNodeOf(context.node), attempt),
      attempt,
    );
    const tried = await tryOnce(context, application, attempt, underWay, opened);
    progress.synced(tried.kind === 'succeeded' ? tried.operation.revisions : []);
    if (tried.kind !== 'failed') return progress.opened(application);
    const isLast = tried.failure.final || attempt.number >= last;
    const inSeconds = backoff(retries, tries);
    const retry = isLast ? undefined : { inSeconds, attempts: last };
    progress.attemptFailed(attempt.number, tried.failure, retry);
    if (isLast) return progress.fail(tried.failure);
    await sleep(relievable(context), inSeconds * 1000);
    attempt = { number: attempt.number + 1, superseded: 0 };
    underWay = false;
  }
}

async function tryOnce(
  context: NodeContext,
  application: ApplicationView,
  attempt: Attempt,
  underWay: boolean,
  opened: () => void,
): Promise<OperationResult | { readonly kind: 'under-way' }> {
  const time = syncTime(context);
  let before: ApplicationView | undefined;
  if (!underWay) {
    const requested = await requestOperation(context, application, attempt, time);
    if (requested.kind === 'failed') return requested;
    before = requested.before;
  }
  const now = await takenUp(context, time.deadline);
  if (!now?.operation) return await awaitOperation(context, attempt, time, before);
  opened();
  if (!context.walk.parent) return { kind: 'under-way' };
  // Without a limit: if the children have sync waves, it waits for them. Its close has the timeout.
  const endless = timeUntil(Number.POSITIVE_INFINITY);
  return await awaitOperation(relievable(context), attempt, endless);
}

function relievable(context: NodeContext): NodeContext {
  const { walk, signal } = context;
  const { parent } = walk;
  return parent ? { ...context, signal: AbortSignal.any([signal, parent.relieved]) } : context;
}

function next(own: Attempt, { operation, operationState }: ApplicationView): Attempt {
  if (operation) return own;
  return operationState?.phase === 'Succeeded'
    ? { number: own.number, superseded: own.superseded + 1 }
    : { number: own.number + 1, superseded: 0 };
}

/** Waits until Argo CD works on the request, or has finished it. */
async function takenUp(context: NodeContext, deadline: Deadline) {
  for (;;) {
    const now = await readApplication(context, deadline);
    if (!now?.operation || now.operationState || isOver(context, deadline)) return now;
    await awaitNews(context, now, deadline);
  }
}

/** Continues the operation that open started; if there was none, the gate is judged as it is. */
export async function closeParent(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const deadline = deadlineIn(context, context.node.timeouts.health);
    const now = await readApplication(context, deadline);
    if (!now) return progress.fail({ message: 'the Application was deleted' });
    if (ownAttempt(context.session.identity, operationNodeOf(context.node), now)) {
      return await syncUntilHealthy(context, now, progress);
    }
    // The dependents of its members then wait for people.
    if (await isUndecided(context, now, deadline)) await context.walk.ensureHold();
    const laterThan = now.reconciledAt ?? 0;
    const wait = { uid: now.uid, operation: undefined, laterThan, time: timeUntil(deadline) };
    const passed = await passClose(context, wait);
    progress.asked(wait.time.suspendedMs);
    if (passed.kind === 'open') return progress.unchanged(now, passed.evidence);
    const failure =
      passed.kind === 'failed' ? passed.failure : { message: 'Git has a newer commit' };
    const ended = isOver(context, wait.time.deadline) ? await endLeftOver(context) : '';
    return progress.fail({ ...failure, message: `${failure.message}${ended}` });
  });
}

/** A failing probe puts the hold up for everything after the stack, and is retried. */
async function passClose(context: NodeContext, wait: GateWait): Promise<GateResult> {
  const probe = GateProbe.of(context, 'once');
  const passed = await passGate(context, { ...wait, probe });
  if (passed.kind !== 'failed' || !probe?.isSpent) return passed;
  await context.walk.ensureHold();
  return await passGate(context, { ...wait, probe: GateProbe.of(context) });
}
