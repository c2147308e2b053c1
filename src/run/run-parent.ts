// The two halves of a parent's Application (a stack's own, or the root): open syncs it, close passes its gate. Between
// them its children are brought up, so open does not wait for the operation's end: where children carry sync waves, that
// operation waits for the children.
import type { ApplicationView } from './application-view.ts';
import { AFTER_SYNCED } from './gate.ts';
import { type Attempt, operationId, ownAttempt } from './identity.ts';
import {
  awaitNews,
  type Deadline,
  deadlineIn,
  isOver,
  type NodeContext,
  read,
  sleep,
} from './node-context.ts';
import { judgeAsItIs, type Observed, observe } from './observe.ts';
import { requestOperation } from './operation.ts';
import { passGate } from './pass-gate.ts';
import { type NodeResult, Progress } from './progress.ts';
import { BACKOFF_MAX, syncUntilHealthy } from './run-node.ts';

const FIRST: Attempt = { number: 1, superseded: 0 };

export async function openParent(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const observed = await observeParent(context);
    if (observed.kind === 'missing') return progress.fail(observed);
    if (observed.kind === 'holds')
      return progress.unchanged(observed.application, observed.evidence);
    await context.claim();
    const { application, unmet } = observed;
    // What is unmet beyond that is the children's matter.
    if (unmet && AFTER_SYNCED.has(unmet.condition)) return progress.opened(application);
    return await begin(context, application, progress);
  });
}

/** An operation of this run that has ended says nothing of now: Git may have moved on since, or it failed. */
async function observeParent(context: NodeContext): Promise<Observed> {
  const observed = await observe(context);
  if (observed.kind !== 'needs-sync' || observed.unmet) return observed;
  const { application } = observed;
  if (application.operation || !application.operationState) return observed;
  const deadline = deadlineIn(context, context.node.timeouts.sync);
  return await judgeAsItIs(context, application, deadline);
}

/** Until an operation is under way or has succeeded. One that fails at once is tried again: without it no child comes. */
async function begin(context: NodeContext, application: ApplicationView, progress: Progress) {
  const { retries, timeouts } = context.node;
  const own = ownAttempt(context.run, context.operationNode, application);
  let attempt = own ? next(own, application) : FIRST;
  const last = attempt.number + retries.maxAttempts - 1;
  for (let tries = 0; ; tries++) {
    progress.syncing(operationId(context.run, context.operationNode, attempt), attempt);
    const deadline = deadlineIn(context, timeouts.sync);
    if (tries > 0 || !own || !application.operation) {
      const requested = await requestOperation(context, application, attempt, deadline);
      if (requested.kind === 'failed') return progress.fail(requested.failure);
    }
    const now = await takenUp(context, deadline);
    progress.synced([]);
    const state = now?.operation ? undefined : now?.operationState;
    if (!state || state.phase === 'Succeeded') return progress.opened(application);
    const message = `the operation ended as ${state.phase}: ${state.message}`;
    progress.attemptFailed(attempt.number, { message, final: false });
    if (attempt.number >= last) return progress.fail({ message });
    await sleep(context, Math.min(retries.backoff * 2 ** tries, BACKOFF_MAX) * 1000);
    attempt = { number: attempt.number + 1, superseded: 0 };
  }
}

function next(own: Attempt, { operation, operationState }: ApplicationView): Attempt {
  if (operation) return own;
  return operationState?.phase === 'Succeeded'
    ? { number: own.number, superseded: own.superseded + 1 }
    : { number: own.number + 1, superseded: 0 };
}

/** Until Argo CD works on the request, or has ended it. */
async function takenUp(context: NodeContext, deadline: Deadline) {
  for (;;) {
    const now = await read(context, deadline, () => context.applications.get(context.address));
    if (!now?.operation || now.operationState || isOver(context, deadline)) return now;
    await awaitNews(context, now, deadline);
  }
}

/** Goes on with the operation that open began; where there was none to begin, the gate is judged as it is. */
export async function closeParent(context: NodeContext): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const deadline = deadlineIn(context, context.node.timeouts.health);
    const now = await read(context, deadline, () => context.applications.get(context.address));
    if (!now) return progress.fail({ message: 'the Application was deleted' });
    if (ownAttempt(context.run, context.operationNode, now)) {
      return await syncUntilHealthy(context, now, progress);
    }
    const laterThan = now.reconciledAt ?? 0;
    const wait = { uid: now.uid, operation: undefined, laterThan, deadline };
    const passed = await passGate(context, wait);
    if (passed.kind === 'open') return progress.unchanged(now, passed.evidence);
    return progress.fail(passed.kind === 'failed' ? passed.failure : { message: 'Git moved on' });
  });
}
