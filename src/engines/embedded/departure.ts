// The end of a run that was told to leave: what is still to be done gets a few seconds in all. Whoever does not answer by
// then is not waited for, and the next run finds what is left.
import type { Clock } from '../../ports/clock.ts';

/** For what is in work to notice; for the end as a whole. */
const NODES_MS = 2_000;
const ALL_MS = 4_500;

export class Departure {
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #over: Promise<void>;

  constructor(leave: AbortSignal, clock: Clock) {
    this.#clock = clock;
    this.#over = this.#after(leave, ALL_MS);
  }

  /** Resolves when nodes that have not ended are left as they are. */
  abandoned(signal: AbortSignal): Promise<void> {
    return this.#after(signal, NODES_MS);
  }

  /** Undefined: there was no more time for it. */
  async atMost<T>(task: Promise<T>): Promise<T | undefined> {
    return await Promise.race([task, this.#over.then(() => undefined)]);
  }

  close(): void {
    this.#end.abort();
  }

  async #after(signal: AbortSignal, ms: number): Promise<void> {
    await new Promise<void>((resolve) => onAbort(signal, resolve));
    await this.#clock.sleep(ms, this.#end.signal);
  }
}

/** Also where it was given already: while the run began, for instance. */
export function onAbort(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action();
  else signal.addEventListener('abort', action, { once: true });
}
