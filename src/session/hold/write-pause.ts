// What can wait gives way to what cannot: while a dependent is on its way to its sync request, nothing else is sent.
import type { Clock } from '../../ports/clock.ts';

export class WritePause {
  readonly #clock: Clock;
  readonly #waiting = new Set<AbortController>();
  #busy = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something urgent has begun. Call what it returns when that has ended. */
  enter(): () => void {
    this.#busy++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#busy--;
      this.wake();
    };
  }

  get isActive(): boolean {
    return this.#busy > 0;
  }

  /** Until something urgent has ended, at most so long. */
  async wait(mostMs: number): Promise<void> {
    const free = new AbortController();
    this.#waiting.add(free);
    await this.#clock.sleep(mostMs, free.signal);
    this.#waiting.delete(free);
  }

  /** Ends all waiting now. */
  wake(): void {
    for (const free of this.#waiting) free.abort();
  }
}
