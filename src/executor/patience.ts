// A pod of a Workflow does one thing and ends: if it gave up because a server did not answer for a moment, its node would have
// failed.
import { TiphysError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';

export const PATIENCE_MS = 300_000;
const RETRY_MS = 5_000;

export interface Patient {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Why it is tried again. */
  readonly warn: (message: string) => void;
}

/** What cannot be reached now may answer later; everything else is final. */
export async function patiently<T>(
  { clock, signal, warn }: Patient,
  action: () => Promise<T>,
): Promise<T> {
  const end = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      const passing = error instanceof TiphysError && error.isPassing;
      if (!passing || signal.aborted || clock.monotonic() >= end) throw error;
      warn(error.message);
      await clock.sleep(RETRY_MS, signal);
    }
  }
}
