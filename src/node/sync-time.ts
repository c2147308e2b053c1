// The time limit of a node's step. The clock stops while waiting for something that cannot be sped up, such as a closed
// sync window; the run's own timeout continues.
import type { ApplicationView } from '../ports/application-view.ts';
import { type Deadline, deadlineIn, type LookContext } from './node-context.ts';

export interface StoppableTime {
  deadline: Deadline;
  /** The total time in milliseconds that did not count. */
  suspendedMs: number;
}

/** Based on the timeout of the node's syncs. */
export const syncTime = (context: LookContext): StoppableTime =>
  timeUntil(deadlineIn(context, context.node.timeouts.sync));

export const timeUntil = (deadline: Deadline): StoppableTime => ({ deadline, suspendedMs: 0 });

/** Waits without counting the time. */
export async function suspended(
  { session }: LookContext,
  time: StoppableTime,
  wait: () => Promise<unknown>,
): Promise<void> {
  const since = session.clock.monotonic();
  await wait();
  standStill(time, session.clock.monotonic() - since);
}

/** The time since then does not count. */
export function standStill(time: StoppableTime, ms: number): void {
  time.deadline += ms;
  time.suspendedMs += ms;
}

/** Argo CD suspends an operation that meets a closed window. */
export function isFrozen({ operation, operationState }: ApplicationView): boolean {
  if (!operation || operationState?.phase !== 'Running') return false;
  return /blocked by sync window/i.test(operationState.message);
}
