// Ctrl-C and SIGTERM: the first stops in good order, the second quits within seconds, the third exits immediately.
import { EXIT } from '../../errors.ts';
import { renderLines } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import { lookOn } from '../output/look-on.ts';
import type { Notice } from '../output/output.ts';

export interface StopSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  readonly close: () => void;
}

interface StopOptions {
  /** A command that only reads has nothing to announce: it just ends. */
  readonly reads?: boolean;
  /** Prints the notice without breaking the progress on the screen. */
  readonly notice?: (text: Notice) => void;
}

/** A run that aborts takes a little less; the process does not wait longer. */
const ABORT_MS = 5_000;

const STOPPING: Notice = (names) =>
  names.length === 0
    ? 'Stopping: nothing is in progress. Press Ctrl-C again to quit.'
    : `Stopping: finishing ${some(names)}. Press Ctrl-C again to quit and leave ${names.length > 1 ? 'them' : 'it'} to Argo CD.`;

const QUITTING: Notice = (names) =>
  names.length === 0
    ? 'Quitting. Press Ctrl-C again to exit immediately.'
    : `Quitting: Argo CD continues ${some(names)}; rerun the command to resume. Press Ctrl-C again to exit immediately.`;

const NAMES_MAX = 3;

function some(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  const shown = names.slice(0, NAMES_MAX).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

export function stopSignals(io: Io, options: StopOptions = {}): StopSignals {
  const { reads = false } = options;
  const print =
    options.notice ?? ((text: Notice) => io.stderr(renderLines([text([])], lookOn(io, 'stderr'))));
  const announce = (text: Notice) => {
    if (!reads) print(text);
  };
  const [stop, abort] = [new AbortController(), new AbortController()];
  const close = io.onSignal(() => {
    if (abort.signal.aborted) return io.endWithin(0, EXIT.partial);
    if (!stop.signal.aborted) {
      announce(STOPPING);
      return stop.abort();
    }
    announce(QUITTING);
    io.endWithin(reads ? 0 : ABORT_MS, EXIT.partial);
    abort.abort();
  });
  return { stop: stop.signal, abort: abort.signal, close };
}

/** The same for the duration of some work. */
export async function untilStopped<T>(
  io: Io,
  work: (signals: StopSignals) => Promise<T>,
  options: StopOptions = {},
): Promise<T> {
  const signals = stopSignals(io, options);
  try {
    return await work(signals);
  } finally {
    signals.close();
  }
}
