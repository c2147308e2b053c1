// Time that passes only when nothing is left to do. One queue of moments, in order; what falls into the same moment happens
// in the order in which it was asked for. So a run is the same each time, and takes no longer than its work.
import type { Clock } from '../ports/clock.ts';

interface Moment {
  readonly at: number;
  readonly turn: number;
  readonly happen: () => void;
  cancelled: boolean;
}

export interface Pace {
  /** Resolves when everything that can go on without time passing has done so. */
  readonly settle: () => Promise<void>;
  /** Waits in the world outside before so much time passes inside; undefined: as fast as possible. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined;
}

export class VirtualTime {
  readonly #pace: Pace;
  readonly #start: number;
  readonly #heap: Moment[] = [];
  #now = 0;
  #turns = 0;

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

  /** How many moments have happened. */
  get turns(): number {
    return this.#turns;
  }

  /** What it returns cancels it. */
  after(ms: number, happen: () => void): () => void {
    const moment = {
      at: this.#now + Math.max(0, ms),
      turn: this.#turns++,
      happen,
      cancelled: false,
    };
    push(this.#heap, moment);
    return () => {
      moment.cancelled = true;
    };
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

  /** As those inside see it. */
  get clock(): Clock {
    return {
      now: () => this.calendar,
      monotonic: () => this.#now,
      sleep: (ms, signal) => this.sleep(ms, signal),
    };
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
      if (!(await this.#step(end))) throw new Error(`nothing more happens after ${this.#now} ms`);
    }
    return await promise;
  }

  /** Lets so much time pass. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#pace.settle();
    while (await this.#step(end)) await this.#pace.settle();
    this.#now = end;
  }

  /** The next moment, if it comes by then. */
  async #step(end: number): Promise<boolean> {
    while (this.#heap[0]?.cancelled) pop(this.#heap);
    const next = this.#heap[0];
    if (!next || next.at > end) return false;
    if (next.at > this.#now) {
      if (this.#pace.wait) await this.#pace.wait(next.at - this.#now);
      // Somebody outside may have acted while time was waited for.
      if (this.#heap[0] !== next) return true;
      this.#now = next.at;
    }
    pop(this.#heap);
    next.happen();
    return true;
  }
}

function isBefore(a: Moment, b: Moment): boolean {
  return a.at < b.at || (a.at === b.at && a.turn < b.turn);
}

function push(heap: Moment[], moment: Moment): void {
  let at = heap.push(moment) - 1;
  while (at > 0) {
    const up = (at - 1) >> 1;
    const parent = heap[up];
    if (!parent || !isBefore(moment, parent)) break;
    heap[at] = parent;
    at = up;
  }
  heap[at] = moment;
}

function pop(heap: Moment[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    const down = left && right && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
    const child = heap[down];
    if (!child || !isBefore(child, last)) break;
    heap[at] = child;
    at = down;
  }
  heap[at] = last;
}
