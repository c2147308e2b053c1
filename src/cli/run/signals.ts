// Ctrl-C and SIGTERM: the first asks to stop in good order, the second to leave soon, the third to leave at once.
import { EXIT } from '../../errors.ts';
import { renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';

export interface StopSignals {
  readonly stop: AbortSignal;
  readonly leave: AbortSignal;
  readonly close: () => void;
}

/** A run that leaves takes a little less; who does not answer by then is not waited for. */
const LEAVE_MS = 5_000;

const STOPPING =
  'stopping: nothing more is started, what is in work is finished; once more to leave soon';
const LEAVING =
  'leaving: what is in work is left to Argo CD, the next run goes on with it; once more to end at once';

/** A command that only reads has nothing to announce: it just ends. */
export function stopSignals(io: Io, { reads = false } = {}): StopSignals {
  const [stop, leave] = [new AbortController(), new AbortController()];
  const close = io.onSignal(() => {
    if (leave.signal.aborted) return io.endWithin(0, EXIT.partial);
    if (!stop.signal.aborted) {
      if (!reads) io.stderr(renderLines([STOPPING]));
      return stop.abort();
    }
    if (!reads) io.stderr(renderLines([LEAVING]));
    io.endWithin(reads ? 0 : LEAVE_MS, EXIT.partial);
    leave.abort();
  });
  return { stop: stop.signal, leave: leave.signal, close };
}

/** The same for as long as something is worked at. */
export async function untilStopped<T>(
  io: Io,
  work: (signals: StopSignals) => Promise<T>,
  how: { readonly reads?: boolean } = {},
): Promise<T> {
  const signals = stopSignals(io, how);
  try {
    return await work(signals);
  } finally {
    signals.close();
  }
}
