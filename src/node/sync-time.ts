// The time that one attempt to sync has. It stands still while a sync window is closed: nobody can hurry that, and the run's
// own timeout goes on.
import type { ApplicationView } from '../ports/application-view.ts';
import { type Deadline, deadlineIn, type LookContext } from './node-context.ts';

export interface SyncTime {
  deadline: Deadline;
  /** Milliseconds for which it stood still. */
  suspendedMs: number;
}

/** As the timeout of the node's syncs has it. */
export const syncTime = (context: LookContext): SyncTime =>
  timeUntil(deadlineIn(context, context.node.timeouts.sync));

export const timeUntil = (deadline: Deadline): SyncTime => ({ deadline, suspendedMs: 0 });

/** Waits, and does not count it. */
export async function suspended(
  { session }: LookContext,
  time: SyncTime,
  wait: () => Promise<unknown>,
): Promise<void> {
  const since = session.clock.monotonic();
  await wait();
  const ms = session.clock.monotonic() - since;
  time.deadline += ms;
  time.suspendedMs += ms;
}

/** Argo CD lets an operation that meets a closed window stand where it is. */
export function isFrozen({ operation, operationState }: ApplicationView): boolean {
  if (!operation || operationState?.phase !== 'Running') return false;
  return /blocked by sync window/i.test(operationState.message);
}
