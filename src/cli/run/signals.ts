// Ctrl-C and SIGTERM: the first asks to stop in good order, the second to abort within seconds, the third to exit at once.
import { EXIT } from '../../errors.ts';
import { renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';

export interface StopSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  readonly close: () => void;
}

/** A run that aborts takes a little less; who does not answer by then is not waited for. */
const ABORT_MS = 5_000;

const STOPPING =
  'stopping: nothing more is started, what is in work is finished; once more to abort';
const ABORTING =
  'aborting: what is in work is left to Argo CD, the next run goes on with it; once more to exit at once';

/** A command that only reads has nothing to announce: it just ends. */
export function stopSignals(io: Io, { reads = false } = {}): StopSignals {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const close = io.onSignal(() => {
    if (abort.signal.aborted) return io.endWithin(0, EXIT.partial);
    if (!stop.signal.aborted) {
      if (!reads) io.stderr(renderLines([STOPPING]));
      return stop.abort();
    }
    if (!reads) io.stderr(renderLines([ABORTING]));
    io.endWithin(reads ? 0 : ABORT_MS, EXIT.partial);
    abort.abort();
  });
  return { stop: stop.signal, abort: abort.signal, close };
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
