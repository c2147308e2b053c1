// What can wait gives way to what cannot: while a dependent is on its way to its sync request, nothing else is sent.
import type { Clock } from '../../ports/clock.ts';

export class Quiet {
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
      if (this.#busy === 0) this.wake();
    };
  }

  get isBroken(): boolean {
    return this.#busy > 0;
  }

  /** Until nothing is urgent, at most so long. */
  async wait(mostMs: number): Promise<void> {
    if (!this.isBroken) return;
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
