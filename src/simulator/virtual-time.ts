// Time that passes only when nothing is left to do. One queue of moments, in order; what falls into the same moment happens
// in the order in which it was asked for. So a run is the same each time, and takes no longer than its work.

interface Moment {
  readonly at: number;
  readonly happen: () => void;
  cancelled: boolean;
}

export interface Pace {
  /** Resolves when everything that can continue without time passing has done so. */
  readonly settle: () => Promise<void>;
}

export class VirtualTime {
  readonly #pace: Pace;
  readonly #start: number;
  /** The next one last. */
  readonly #moments: Moment[] = [];
  #now = 0;

  /** `start`: what the calendar says at the beginning, in milliseconds. */
  constructor(pace: Pace, start: number) {
    this.#pace = pace;
    this.#start = start;
  }

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  get calendar(): number {
    return this.#start + this.#now;
  }

  /** What it returns cancels it. */
  after(ms: number, happen: () => void): () => void {
    const at = this.#now + Math.max(0, ms);
    const moment: Moment = { at, happen, cancelled: false };
    this.#moments.splice(this.#placeOf(at), 0, moment);
    return () => {
      moment.cancelled = true;
    };
  }

  /** Behind the later ones, before those that were asked for earlier for the same time. Halved again and again: there are thousands. */
  #placeOf(at: number): number {
    let low = 0;
    let high = this.#moments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#moments[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.after(ms, end);
      signal?.addEventListener('abort', end);
    });
  }

  /** Lets time pass until it ends. Throws where nothing more will happen, or at the end of its patience. */
  async until<T>(promise: Promise<T>, mostMs = Number.POSITIVE_INFINITY): Promise<T> {
    let ended = false;
    const mark = () => {
      ended = true;
    };
    promise.then(mark, mark);
    const end = this.#now + mostMs;
    for (await this.#pace.settle(); !ended; await this.#pace.settle()) {
      if (!this.#step(end)) throw new Error(`nothing more happens after ${this.#now} ms`);
    }
    return await promise;
  }

  /** Lets so much time pass. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#pace.settle();
    while (this.#step(end)) await this.#pace.settle();
    this.#now = end;
  }

  /** The next moment, if it comes by then. */
  #step(end: number): boolean {
    while (this.#moments.at(-1)?.cancelled) this.#moments.pop();
    const next = this.#moments.at(-1);
    if (!next || next.at > end) return false;
    this.#moments.pop();
    this.#now = next.at;
    next.happen();
    return true;
  }
}
