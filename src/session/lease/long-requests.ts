// Requests that Argo CD may need longer for than for other writes. Each begins as any write does, and is given up like one. Only when the Lease
// says, for all to see, that it lasts until the request is given up, the request may go on: whoever takes over waits for that.
import type { Clock } from '../../ports/clock.ts';
import { type LongRequest, WRITE_DEADLINE_MS } from '../../ports/write-result.ts';

/** Most are answered by then, and the Lease stays as it is. */
const USUAL_MS = 1_000;
const RETRY_MS = 1_000;

export interface LongRequestParts {
  readonly clock: Clock;
  /** Writes the Lease so that it outlasts all that is under way. False: it could not be written. */
  readonly renew: () => Promise<boolean>;
  /** Given when nothing may be under way any more. */
  readonly end: AbortSignal;
}

export class LongRequests {
  readonly #parts: LongRequestParts;
  /** Until when they may go on, by the monotonic clock. */
  readonly #until = new Map<symbol, number>();

  constructor(parts: LongRequestParts) {
    this.#parts = parts;
  }

  /** Milliseconds that a Lease must last which is written now. */
  get needMs(): number {
    return Math.max(0, ...this.#until.values()) - this.#parts.clock.monotonic();
  }

  /** `mostMs`: after so long it is given up in any case. */
  async send<T>(mostMs: number, action: (long: LongRequest) => Promise<T>): Promise<T> {
    const { clock, end } = this.#parts;
    const begin = clock.monotonic();
    const answered = new AbortController();
    const key = Symbol('request');
    const extension = new Promise<number>((resolve) => {
      void this.#extend(key, begin, begin + mostMs, answered.signal).then((until) => {
        if (until !== undefined) resolve(until);
      });
    });
    try {
      return await action({ extension, signal: end });
    } finally {
      answered.abort();
      // The next one need not wait for what is over.
      if (this.#until.delete(key) && this.#until.size === 0 && !end.aborted)
        void this.#parts.renew();
    }
  }

  async #extend(
    key: symbol,
    begin: number,
    until: number,
    answered: AbortSignal,
  ): Promise<number | undefined> {
    const { clock, renew } = this.#parts;
    await clock.sleep(USUAL_MS, answered);
    while (!answered.aborted && clock.monotonic() < begin + WRITE_DEADLINE_MS) {
      this.#until.set(key, until);
      const isWritten = await renew();
      if (answered.aborted) this.#until.delete(key);
      else if (isWritten) return until;
      else await clock.sleep(RETRY_MS, answered);
    }
    this.#until.delete(key);
    return undefined;
  }
}
