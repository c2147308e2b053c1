// One sync operation after its request: finds it again, and waits for its end.

import type { AwaitedOperation } from '../gate/conditions.ts';
import type { Unmet } from '../gate/verdict.ts';
import { addressOf, operationNodeOf } from '../plan/node-address.ts';
import type {
  ApplicationView,
  OperationRequest,
  OperationState,
} from '../ports/application-view.ts';
import { isOlder, renderResource } from '../ports/application-view.ts';
import {
  type Attempt,
  operationId,
  operationIdOf,
  ownAttempt,
  type RunIdentity,
} from '../session/identity.ts';
import { earlierRunOf, endOperationById } from './end-operation.ts';
import {
  awaitNews,
  type Deadline,
  isOver,
  type LookContext,
  type NodeContext,
  read,
  readApplication,
  reporter,
  sleep,
} from './node-context.ts';
import { isFrozen, type StoppableTime, suspended, syncTime } from './sync-time.ts';

/** Why an attempt did not lead to a gate that can be judged. `final`: another attempt would not help. */
export interface AttemptFailure {
  readonly message: string;
  readonly resource?: string | undefined;
  readonly final: boolean;
}

export type OperationResult =
  | { readonly kind: 'succeeded'; readonly operation: AwaitedOperation }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

/** Argo CD starts on a request within a second, unless it missed it. */
const OVERLOOKED_MS = 3_000;
/** How long a server may keep showing the state from before a request that it has accepted. */
const UNSEEN_MS = 30_000;
const UNSEEN_AGAIN_MS = 2_000;
/** The interval of looks at an operation that waits for a sync window, and at the window. */
const FROZEN_MS = 60_000;
const CLOSED_MS = 15_000;

const DELETED = failed({ message: 'the Application was deleted', final: true });
const LOST = failed({ message: 'Argo CD lost the accepted request', final: false });

/**
 * Another client's operation is left alone; wait for its end. `known`: the state in which it was seen. Returns the last
 * state seen.
 */
export async function foreignEnd(
  context: LookContext,
  report: (unmet: Unmet) => void,
  deadline: Deadline,
  known?: ApplicationView,
): Promise<ApplicationView | undefined> {
  for (;;) {
    const now = await readApplication(context, deadline);
    // A lagging server shows the state before the operation.
    if (now && known && isOlder(now, known) && !isOver(context, deadline)) {
      await sleep(context, UNSEEN_AGAIN_MS);
      continue;
    }
    if (!now?.operation || isOver(context, deadline)) return now;
    const who = requesterOf(context.session.identity, now.operation);
    report({ condition: 'no-operation-running', message: `an operation of ${who} is running` });
    await awaitNews(context, now, deadline);
  }
}

function requesterOf(identity: RunIdentity, operation: OperationRequest): string {
  const earlier = earlierRunOf(identity, operation);
  if (earlier) return `the earlier run ${earlier}`;
  return operation.automated ? 'Argo CD itself' : operation.username || 'another client';
}

/**
 * Waits for the end of the operation with this id, or of one that replaced it. `before`: the Application's state at the
 * request.
 */
export async function awaitOperation(
  context: NodeContext,
  attempt: Attempt,
  time: StoppableTime,
  before?: ApplicationView,
): Promise<OperationResult> {
  const id = operationId(context.session.identity, operationNodeOf(context.node), attempt);
  const report = reporter(context);
  let unseenUntil: Deadline | undefined;
  for (;;) {
    const { deadline } = time;
    const now = await readApplication(context, deadline);
    const unseen = isUnseen(context, now, id, before);
    if (!now && !unseen) return DELETED;
    if (now && !now.operation && now.operationState && !unseen)
      return ended(now.operationState, id);
    if (now && (isFrozen(now) || (isOver(context, deadline) && (await isClosed(context))))) {
      report({ condition: 'blocked', message: progress(now) });
      await suspended(context, time, () => untilThawed(context, now));
      // How long the window was closed before that was seen is unknown.
      if (isOver(context, time.deadline)) time.deadline = syncTime(context).deadline;
      continue;
    }
    if (now && isOver(context, deadline)) return await giveUp(context, id, now);
    if (!now || unseen) {
      unseenUntil ??= context.session.clock.monotonic() + UNSEEN_MS;
      if (isOver(context, unseenUntil)) return now ? LOST : DELETED;
      await sleep(context, UNSEEN_AGAIN_MS);
      continue;
    }
    report({ condition: 'no-operation-running', message: progress(now) });
    await untilEnded(context, now, deadline, report);
  }
}

/**
 * Argo CD itself checks such an operation every few minutes, and whenever it compares: ask it to compare once the window
 * is open.
 */
async function untilThawed(context: NodeContext, frozen: ApplicationView): Promise<void> {
  const { clock, target } = context.session;
  const enough = clock.monotonic() + FROZEN_MS;
  while (!isOver(context, enough)) {
    if (await awaitNews(context, frozen, clock.monotonic() + CLOSED_MS)) return;
    if (await isClosed(context)) continue;
    await target.applications.refresh(addressOf(context.node)).catch(() => undefined);
    return;
  }
}

/** Argo CD may not have checked an operation since a window closed. */
async function isClosed({ blocked }: NodeContext): Promise<boolean> {
  return (await blocked().catch(() => undefined)) !== undefined;
}

/** Shown as it was before the request: a server may lag behind what it accepted, and behind the watch. */
function isUnseen(
  { session, node, watch }: NodeContext,
  application: ApplicationView | undefined,
  id: string,
  before: ApplicationView | undefined,
): boolean {
  if (!application) return watch.last(addressOf(node)) !== undefined;
  const state = application.operationState;
  if (application.operation || !state || operationIdOf(state) === id) return false;
  if (ownAttempt(session.identity, operationNodeOf(node), application)) return true;
  if (!before) return false;
  return isOlder(application, before) || isSameEnd(state, before.operationState);
}

function isSameEnd(one: OperationState, other: OperationState | undefined): boolean {
  if (!other) return false;
  const ends = [one, other].map(({ phase, startedAt, finishedAt }) =>
    [phase, startedAt, finishedAt].join(),
  );
  return ends[0] === ends[1] && operationIdOf(one) === operationIdOf(other);
}

/**
 * The watch tells when a read is worthwhile: not at every step of the operation. A request that Argo CD does not start on
 * was missed: its own write replaced the newer state, and it notices only at the next change. A refresh is such a change.
 */
async function untilEnded(
  context: NodeContext,
  first: ApplicationView,
  deadline: Deadline,
  report: (unmet: Unmet) => void,
): Promise<void> {
  const { session, watch } = context;
  const { clock, target } = session;
  const address = addressOf(context.node);
  let seen = first;
  let patience = OVERLOOKED_MS;
  do {
    const until = isTakenUp(seen) ? deadline : clock.monotonic() + patience;
    await awaitNews(context, seen, Math.min(until, deadline));
    const last = watch.last(address);
    // Gone, recreated, or not seen yet: only reading tells.
    if (last?.uid !== seen.uid) return;
    seen = last;
    // A long operation reports what it is doing.
    if (seen.operation) report({ condition: 'no-operation-running', message: progress(seen) });
    if (isOver(context, until) && !isOver(context, deadline) && !isTakenUp(seen)) {
      patience *= 2;
      await read(context, deadline, () => target.applications.refresh(address));
    }
  } while (seen.operation && !isFrozen(seen) && !isOver(context, deadline));
}

function isTakenUp({ operation, operationState }: ApplicationView): boolean {
  return operation === undefined || operationIdOf(operation) === operationIdOf(operationState);
}

function progress(application: ApplicationView): string {
  const state = application.operationState;
  if (!state) return 'the operation has not started';
  const again =
    state.phase === 'Running' && state.finishedAt !== undefined ? 'is waiting for a retry' : '';
  return `the operation ${again || `is ${state.phase}`}${state.message ? `: ${state.message}` : ''}`;
}

function ended(state: OperationState, id: string): OperationResult {
  const { phase, message, finishedAt, revisions } = state;
  const ours = operationIdOf(state) === id;
  if (phase === 'Succeeded' && finishedAt !== undefined) {
    const operation = { id: ours ? id : undefined, finishedAt, revisions };
    return { kind: 'succeeded', operation };
  }
  if (phase === 'Succeeded') {
    const lost = 'Argo CD lost the end of the operation (Succeeded without finishedAt)';
    return failed({ message: lost, final: false });
  }
  const culprit = state.results.find(({ status }) => status === 'SyncFailed');
  const whose = ours ? 'the operation' : "another client's operation";
  return failed({
    message: `${whose} ended as ${phase}: ${culprit?.message || message}`,
    resource: culprit && renderResource(culprit.resource),
    final: false,
  });
}

/** Time is up: our own operation is terminated, another client's is not. */
async function giveUp(
  context: NodeContext,
  id: string,
  application: ApplicationView,
): Promise<OperationResult> {
  const reason = `the sync exceeded its timeout; ${progress(application)}`;
  await endOperationById(context, id);
  return failed({ message: reason, final: true });
}

function failed(failure: AttemptFailure): OperationResult & { kind: 'failed' } {
  return { kind: 'failed', failure };
}
