// One sync operation: asked for, found again, waited for to its end.
import type { ApplicationView, OperationState } from './application-view.ts';
import { renderResource } from './application-view.ts';
import type { AwaitedOperation, Unmet } from './gate.ts';
import { type Attempt, infosOf, operationId, operationIdOf } from './identity.ts';
import {
  Abandoned,
  awaitNews,
  type Deadline,
  freshLook,
  isOver,
  type NodeContext,
  read,
  reporter,
  sleep,
} from './node-context.ts';

/** Why an attempt did not lead to a gate that could be judged. `final`: another attempt would not help. */
export interface AttemptFailure {
  readonly message: string;
  readonly resource?: string | undefined;
  readonly final: boolean;
}

export type OperationResult =
  | { readonly kind: 'succeeded'; readonly operation: AwaitedOperation }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

export type RequestResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure };

const BLOCKED_MS = 15_000;
/** A reply that was lost: the request may still be on its way for as long as its deadline. */
const LOST_REPLY_MS = 5_000;
/** Argo CD takes a request up within a second, unless it overlooked it. */
const OVERLOOKED_MS = 3_000;
/** How long the end of a terminated operation is waited for. */
const TERMINATION_MS = 60_000;
const TERMINATE_AGAIN_MS = 2_000;

/** Sends the request for this attempt, or finds that it was accepted already. At most one operation comes of it. */
export async function requestOperation(
  context: NodeContext,
  application: ApplicationView,
  attempt: Attempt,
  deadline: Deadline,
): Promise<RequestResult> {
  const { applications, address, run, node, emit } = context;
  const id = operationId(run, context.operationNode, attempt);
  const tell = reporter(context);
  let why = '';
  const report = (unmet: Unmet) => {
    why = unmet.message;
    tell(unmet);
  };
  for (;;) {
    if (isOver(context, deadline)) {
      return timeUp(`the request for a sync was not accepted in time${why ? `; ${why}` : ''}`);
    }
    const blocked = context.blocked(
      await read(context, deadline, () => applications.syncWindows(address)),
    );
    if (blocked) {
      report({ condition: 'blocked', message: `a sync window forbids it ${blocked.until}` });
      await sleep(context, Math.min(BLOCKED_MS, leftUntil(context, deadline)));
      continue;
    }
    const pruning = await mayPrune(context, application, deadline);
    if (typeof pruning !== 'boolean')
      return { kind: 'failed', failure: { ...pruning, final: true } };
    const prune = pruning;
    await context.ready();
    await context.permit();
    if (context.signal.aborted) throw new Abandoned();
    emit({ type: 'node.sync-requested', node: node.id, operation: id, attempt: attempt.number });
    const { syncOptions } = application;
    const request = { infos: infosOf(run, id), prune, syncOptions };
    const result = await applications.requestSync(address, request);
    if (result.kind === 'done') return { kind: 'accepted' };
    if (result.kind === 'unknown') {
      await sleep(context, LOST_REPLY_MS);
      if (await shows(context, id, deadline)) return { kind: 'accepted' };
      continue;
    }
    if (result.reason === 'operation-in-progress') {
      if (await shows(context, id, deadline)) return { kind: 'accepted' };
      await foreignEnd(context, report, deadline);
      continue;
    }
    if (result.reason === 'blocked-by-window') {
      report({ condition: 'blocked', message: result.message });
      await sleep(context, Math.min(BLOCKED_MS, leftUntil(context, deadline)));
      continue;
    }
    // Git that cannot be reached for a moment is answered like this; nobody's rights change so soon.
    const final = result.reason !== 'invalid' && result.reason !== 'conflict';
    return { kind: 'failed', failure: { message: result.message, final } };
  }
}

/**
 * Applications are taken down by a teardown, in order, never by a sync of their parent: looked at anew before each request,
 * and asked for only where something else has to go, so that Git that moves on meanwhile takes nothing along.
 */
async function mayPrune(context: NodeContext, application: ApplicationView, deadline: Deadline) {
  if (context.node.kind === 'application') return application.automated?.prune ?? false;
  if (!application.automated?.prune) return false;
  const now = await freshLook(context, deadline);
  const going = now?.resources.filter(({ requiresPruning }) => requiresPruning) ?? [];
  const doomed = going.filter(({ kind }) => kind === 'Application');
  const [first] = doomed;
  if (!first) return going.length > 0;
  const names = doomed.map(({ name }) => name).join(', ');
  const message = `its sync would prune ${names}; take them down with \`tiphys teardown --scope\` first`;
  return { message, resource: renderResource(first) };
}

function leftUntil({ clock }: NodeContext, deadline: Deadline): number {
  return Math.max(0, deadline - clock.monotonic());
}

async function shows(context: NodeContext, id: string, deadline: Deadline): Promise<boolean> {
  const now = await read(context, deadline, () => context.applications.get(context.address));
  return [now?.operation, now?.operationState].some((operation) => operationIdOf(operation) === id);
}

/** Somebody else's operation is left alone and waited for. Gives back what was seen last. */
export async function foreignEnd(
  context: NodeContext,
  report: (unmet: Unmet) => void,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  for (;;) {
    const now = await read(context, deadline, () => context.applications.get(context.address));
    if (!now?.operation || isOver(context, deadline)) return now;
    const who = now.operation.automated
      ? 'Argo CD itself'
      : now.operation.username || 'somebody else';
    report({ condition: 'no-operation-running', message: `an operation of ${who} is running` });
    await awaitNews(context, now, deadline);
  }
}

/** Waits for the end of the operation with this id, or of one that took its place. */
export async function awaitOperation(
  context: NodeContext,
  attempt: Attempt,
  deadline: Deadline,
): Promise<OperationResult> {
  const id = operationId(context.run, context.operationNode, attempt);
  const report = reporter(context);
  for (;;) {
    const now = await read(context, deadline, () => context.applications.get(context.address));
    if (!now) return failed({ message: 'the Application was deleted', final: true });
    if (!now.operation && now.operationState) return ended(now.operationState, id);
    if (isOver(context, deadline)) return await giveUp(context, id, now);
    report({ condition: 'no-operation-running', message: progress(now) });
    await untilEnded(context, now, deadline);
  }
}

/**
 * The watch tells when it is worth reading: not at every step of the operation. A request that is not taken up was
 * overlooked: Argo CD puts what it has just written over what came meanwhile, and sees it only at the next change. A
 * refresh is one.
 */
async function untilEnded(
  context: NodeContext,
  first: ApplicationView,
  deadline: Deadline,
): Promise<void> {
  const { clock, watch, address, applications } = context;
  let seen = first;
  let patience = OVERLOOKED_MS;
  do {
    const until = isTakenUp(seen) ? deadline : clock.monotonic() + patience;
    await awaitNews(context, seen, Math.min(until, deadline));
    const last = watch.last(address);
    // Gone, made anew, or not seen yet: only reading tells.
    if (last?.uid !== seen.uid) return;
    seen = last;
    if (isOver(context, until) && !isOver(context, deadline) && !isTakenUp(seen)) {
      patience *= 2;
      await read(context, deadline, () => applications.refresh(address));
    }
  } while (seen.operation && !isOver(context, deadline));
}

function isTakenUp({ operation, operationState }: ApplicationView): boolean {
  return operation === undefined || operationIdOf(operation) === operationIdOf(operationState);
}

function progress(application: ApplicationView): string {
  const state = application.operationState;
  if (!state) return 'the operation waits to be taken up';
  const again =
    state.phase === 'Running' && state.finishedAt !== undefined ? 'waits to be retried' : '';
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
  const whose = ours ? 'the operation' : "somebody else's operation";
  return failed({
    message: `${whose} ended as ${phase}: ${culprit?.message || message}`,
    resource: culprit && renderResource(culprit.resource),
    final: false,
  });
}

/** Time is up: our own operation is ended, one of somebody else is not ours to end. */
async function giveUp(
  context: NodeContext,
  id: string,
  application: ApplicationView,
): Promise<OperationResult> {
  const reason = `the sync took longer than its timeout; ${progress(application)}`;
  if (operationIdOf(application.operation) === id) {
    const end = context.clock.monotonic() + TERMINATION_MS;
    let terminated = false;
    while (!isOver(context, end)) {
      const now = await read(context, end, () => context.applications.get(context.address));
      if (operationIdOf(now?.operation) !== id || !now) break;
      if (terminated) {
        await awaitNews(context, now, end);
        continue;
      }
      await context.permit();
      // Refused between the request and its being taken up: asked for again.
      terminated = (await context.applications.terminate(context.address)).kind === 'done';
      if (!terminated) await sleep(context, TERMINATE_AGAIN_MS);
    }
  }
  return failed({ message: reason, final: true });
}

function failed(failure: AttemptFailure): OperationResult & { kind: 'failed' } {
  return { kind: 'failed', failure };
}

function timeUp(message: string): RequestResult {
  return { kind: 'failed', failure: { message, final: true } };
}
