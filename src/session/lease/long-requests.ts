// Requests that Argo CD may need longer for than for other writes. Each one starts with the timeout of any write. It may
// take longer only after the Lease has been written to outlast it, so a run that takes over waits for that.
import type { Clock } from '../../ports/clock.ts';
import { type LongRequest, WRITE_DEADLINE_MS } from '../../ports/write-result.ts';

/** Most requests are answered by then, and the Lease stays as it is. */
const USUAL_MS = 1_000;
const RETRY_MS = 1_000;

export interface LongRequestParts {
  readonly clock: Clock;
  /** Writes the Lease so that it outlasts all requests in progress. False: it could not be written. */
  readonly renew: () => Promise<boolean>;
  /** Fires when no request may be in progress any more. */
  readonly end: AbortSignal;
}

export class LongRequests {
  readonly #parts: LongRequestParts;
  /** Until when they may continue, by the monotonic clock. */
  readonly #until = new Map<symbol, number>();

  constructor(parts: LongRequestParts) {
    this.#parts = parts;
  }

  /** Milliseconds that a Lease written now must last. */
  get needMs(): number {
    return Math.max(0, ...this.#until.values()) - this.#parts.clock.monotonic();
  }

  /** `mostMs`: the request is abandoned after this long in any case. */
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
      // The next request need not wait for finished ones.
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
