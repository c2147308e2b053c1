// Ctrl-C and SIGTERM: the first asks to stop in good order, the second to leave at once.
import type { Io } from './io.ts';

export interface StopSignals {
  readonly stop: AbortSignal;
  readonly leave: AbortSignal;
  readonly close: () => void;
}

export function stopSignals(io: Io): StopSignals {
  const [stop, leave] = [new AbortController(), new AbortController()];
  const close = io.onSignal(() => {
    if (stop.signal.aborted) return leave.abort();
    io.stderr(
      'stopping: nothing more is started, what is in work is finished; once more to leave at once\n',
    );
    stop.abort();
  });
  return { stop: stop.signal, leave: leave.signal, close };
}
