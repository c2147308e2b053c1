// Time that passes when a test says so. Timers go off in the order of their time, and of their making where that is equal.
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/ports/clock.ts';

// As the program itself: a run with many nodes has many listeners at one signal.
setMaxListeners(0);

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  #monotonic = 0;
  /** Of the calendar, against the monotonic one. */
  #offset: number;
  #timers: Timer[] = [];

  constructor(start = 1_800_000_000_000) {
    this.#offset = start;
  }

  readonly now = (): number => this.#offset + this.#monotonic;
  readonly monotonic = (): number => this.#monotonic;

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = { at: this.#monotonic + Math.max(0, ms), wake: () => end() };
      const end = () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      signal?.addEventListener('abort', end);
      this.#timers.push(timer);
    });

  /** Lets time pass, with everything that happens meanwhile. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await settle();
    for (let next = this.#due(end); next; next = this.#due(end)) {
      // A timer that is overdue after a pause goes off late, not in the past.
      this.#monotonic = Math.max(this.#monotonic, next.at);
      next.wake();
      await settle();
    }
    this.#monotonic = Math.max(this.#monotonic, end);
  }

  /** The process stands still: time passes and no timer goes off. */
  pause(ms: number): void {
    this.#monotonic += ms;
  }

  /** The machine sleeps: the calendar goes on, the monotonic clock does not. Also what setting the clock looks like. */
  jump(ms: number): void {
    this.#offset += ms;
  }

  /** How many wait. */
  get sleepers(): number {
    return this.#timers.length;
  }

  /** Lets time pass until it ends, at most so long. */
  async until<T>(promise: Promise<T>, mostMs = 3_600_000): Promise<T> {
    let ended = false;
    const mark = () => {
      ended = true;
    };
    promise.then(mark, mark);
    const end = this.#monotonic + mostMs;
    await settle();
    while (!ended) {
      const next = this.#due(end);
      if (!next) throw new Error(`nothing more happens by ${this.#monotonic} ms`);
      await this.advance(Math.max(0, next.at - this.#monotonic));
    }
    return await promise;
  }

  #due(end: number): Timer | undefined {
    const due = this.#timers.filter(({ at }) => at <= end);
    return due.reduce<Timer | undefined>(
      (first, timer) => (first && first.at <= timer.at ? first : timer),
      undefined,
    );
  }
}

/** Everything that can go on without time passing has done so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
