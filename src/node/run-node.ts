// The node program: what happens at one node of a deployment, the same in every engine. It is stateless: killed at any point and
// restarted, it finds in the Application what it did before.
//
//   observe -> gate holds? -> unchanged
//           -> request -> operation -> gate, dwell -> healthy
//                 ^            |          |
//                 +-- attempt failed, or Git has a newer commit

import type { AwaitedOperation } from '../gate/conditions.ts';
import type { Settings } from '../model/settings.ts';
import { operationNodeOf } from '../plan/node-address.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { type Attempt, operationId, ownAttempt } from '../session/identity.ts';
import { GateProbe } from './gate-probe.ts';
import { deadlineIn, type NodeContext, sleep } from './node-context.ts';
import type { Observed } from './observe.ts';
import { type GateResult, lastOperation, passGate } from './pass-gate.ts';
import { type NodeResult, Progress } from './progress.ts';
import { requestOperation } from './request-operation.ts';
import { awaitOperation, type OperationResult } from './sync-operation.ts';
import { type StoppableTime, syncTime, timeUntil } from './sync-time.ts';

const BACKOFF_MAX = 300;

/** Seconds before another attempt, after so many failed again. */
export const backoff = ({ backoff: first }: Settings['retries'], tries: number): number =>
  Math.min(first * 2 ** tries, BACKOFF_MAX);

const SUPERSEDED_MAX = 3;

/**
 * `look` returns what `observe` found, perhaps while dependencies were still in their dwell; it may decide that a sync is
 * needed, never that none is.
 */
export async function runApplication(
  context: NodeContext,
  look: () => Promise<Observed>,
): Promise<NodeResult> {
  const progress = new Progress(context);
  return await progress.endOf(async () => {
    const observed = await look();
    if (observed.kind !== 'holds') await context.walk.ensureHold();
    if (observed.kind === 'missing') return progress.missing(observed);
    progress.found(observed.application);
    if (observed.kind === 'unknown') return progress.fail(observed.unmet);
    if (observed.kind === 'holds') return await unchanged(context, observed, progress);
    const { application, adopted } = observed;
    return await syncUntilHealthy(context, application, progress, adopted);
  });
}

/**
 * No sync is needed, but the gate opens only after a successful probe. A failing probe puts the hold up for the
 * dependents.
 */
async function unchanged(
  context: NodeContext,
  { application, evidence }: Observed & { kind: 'holds' },
  progress: Progress,
): Promise<NodeResult> {
  const once = GateProbe.of(context, 'once');
  if (!once) return progress.unchanged(application, evidence);
  const { uid, reconciledAt: laterThan = 0 } = application;
  const time = timeUntil(deadlineIn(context, context.node.timeouts.health));
  const wait = { uid, operation: undefined, laterThan, time };
  const adopted = lastOperation(application);
  let passed = await passGate(context, { ...wait, probe: once });
  if (passed.kind !== 'open') await context.walk.ensureHold();
  // Without an operation to continue, this would make a sync that is not needed.
  if (passed.kind === 'failed' && once.isSpent && !adopted)
    passed = await passGate(context, { ...wait, probe: GateProbe.of(context) });
  progress.asked(time.suspendedMs);
  if (passed.kind === 'open') return progress.unchanged(application, passed.evidence);
  if (passed.kind === 'superseded') return await syncUntilHealthy(context, application, progress);
  if (passed.failure.final) return progress.fail(passed.failure);
  return await syncUntilHealthy(context, application, progress, adopted);
}

/** Starts with the operation that the Application shows, if it belongs to this run and node. */
export async function syncUntilHealthy(
  context: NodeContext,
  application: ApplicationView,
  progress: Progress,
  adopted?: AwaitedOperation,
): Promise<NodeResult> {
  const { retries, timeouts } = context.node;
  const own = ownAttempt(context.session.identity, operationNodeOf(context.node), application);
  // A failure from before this process is over: a user who restarts the run wants another attempt.
  const over = own && !application.operation && application.operationState?.phase !== 'Succeeded';
  const before = over ? own.number : 0;
  let attempt: Attempt = own && !over ? own : { number: before + 1, superseded: 0 };
  let underWay = own !== undefined && !over;
  let operation = underWay ? undefined : adopted;
  let health: StoppableTime | undefined;
  let askedMs = 0;
  for (;;) {
    // While a person was asked, other nodes had its slot.
    if (askedMs > 0) await context.walk.ensureHold();
    const time = syncTime(context);
    const tried: OperationResult = operation
      ? { kind: 'succeeded', operation }
      : await tryOnce(context, application, attempt, underWay, progress, time);
    if (health) health.deadline += time.suspendedMs;
    // Counted once for the node, from the end of its first operation; restarted after a wait for people, because it was
    // healthy then.
    if (tried.kind === 'succeeded') health ??= timeUntil(deadlineIn(context, timeouts.health));
    const passed = await gateAfter(context, application.uid, tried, health ?? timeUntil(0));
    if (health && health.suspendedMs > 0) {
      askedMs += health.suspendedMs;
      health = undefined;
    }
    progress.asked(askedMs);
    if (passed.kind === 'open') return progress.healthy(application, passed);
    const counted = operation === undefined;
    underWay = false;
    operation = undefined;
    if (passed.kind === 'superseded' && attempt.superseded < SUPERSEDED_MAX) {
      progress.superseded();
      if (counted) attempt = { ...attempt, superseded: attempt.superseded + 1 };
      continue;
    }
    const failure = passed.kind === 'failed' ? passed.failure : MOVED_ON;
    const attempts = before + retries.maxAttempts;
    const isLast = failure.final || attempt.number >= attempts;
    const inSeconds = backoff(retries, attempt.number - before - 1);
    const retry = counted && !isLast ? { inSeconds, attempts } : undefined;
    progress.attemptFailed(counted ? attempt.number : 0, failure, retry);
    if (isLast) return progress.fail(failure);
    if (!counted) continue;
    await sleep(context, inSeconds * 1000);
    attempt = { number: attempt.number + 1, superseded: 0 };
  }
}

async function gateAfter(
  context: NodeContext,
  uid: string,
  tried: OperationResult,
  time: StoppableTime,
): Promise<GateResult> {
  if (tried.kind === 'failed') return tried;
  const { operation } = tried;
  const probe = GateProbe.of(context);
  return await passGate(context, { uid, operation, laterThan: operation.finishedAt, time, probe });
}

const MOVED_ON = { message: 'Git got newer commits repeatedly during the sync', final: true };

async function tryOnce(
  context: NodeContext,
  application: ApplicationView,
  attempt: Attempt,
  underWay: boolean,
  progress: Progress,
  time: StoppableTime,
): Promise<OperationResult> {
  progress.syncing(
    operationId(context.session.identity, operationNodeOf(context.node), attempt),
    attempt,
  );
  let before: ApplicationView | undefined;
  if (!underWay) {
    const requested = await requestOperation(context, application, attempt, time);
    if (requested.kind === 'failed') return requested;
    before = requested.before;
  }
  const result = await awaitOperation(context, attempt, time, before);
  progress.synced(result.kind === 'succeeded' ? result.operation.revisions : []);
  return result;
}
