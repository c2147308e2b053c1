// The time that a step of a node has. It stands still while nobody can hurry what is waited for, as while a sync window is
// closed; the run's own timeout goes on.
import type { ApplicationView } from '../ports/application-view.ts';
import { type Deadline, deadlineIn, type LookContext } from './node-context.ts';

export interface StoppableTime {
  deadline: Deadline;
  /** Milliseconds for which it stood still. */
  suspendedMs: number;
}

/** As the timeout of the node's syncs has it. */
export const syncTime = (context: LookContext): StoppableTime =>
  timeUntil(deadlineIn(context, context.node.timeouts.sync));

export const timeUntil = (deadline: Deadline): StoppableTime => ({ deadline, suspendedMs: 0 });

/** Waits, and does not count it. */
export async function suspended(
  { session }: LookContext,
  time: StoppableTime,
  wait: () => Promise<unknown>,
): Promise<void> {
  const since = session.clock.monotonic();
  await wait();
  standStill(time, session.clock.monotonic() - since);
}

/** What has passed does not count. */
export function standStill(time: StoppableTime, ms: number): void {
  time.deadline += ms;
  time.suspendedMs += ms;
}

/** Argo CD lets an operation that meets a closed window stand where it is. */
export function isFrozen({ operation, operationState }: ApplicationView): boolean {
  if (!operation || operationState?.phase !== 'Running') return false;
  return /blocked by sync window/i.test(operationState.message);
}
