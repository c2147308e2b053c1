// Signals of process 1: the kernel has no default action for it, and a container gets only one signal before it is killed. So
// the first signal is handled from the start, and repeated in time to abort in good order.
import type { Io } from '../cli/io.ts';

/** Docker kills after 10 s, Kubernetes after 30, and an abort takes up to 5. */
const ABORT_AFTER_MS = 4_500;

export interface ProcessOne {
  readonly onSignal: Io['onSignal'];
  readonly close: () => void;
}

/** `endedAs`: the exit status if nothing is in progress. */
export function processOne(io: Io, endedAs: number): ProcessOne {
  const listeners = new Set<() => void>();
  const end = new AbortController();
  let asked = false;
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const forget = io.onSignal(() => {
    // Nothing has started that would need an orderly end.
    if (listeners.size === 0) return io.endWithin(0, endedAs);
    tell();
    if (asked) return;
    asked = true;
    void io.clock.sleep(ABORT_AFTER_MS, end.signal).then(() => {
      if (!end.signal.aborted) tell();
    });
  });
  return {
    onSignal: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      end.abort();
      forget();
    },
  };
}
