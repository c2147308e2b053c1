// Urgent requests go first: while a dependent is on its way to its sync request, nothing else is sent.
import type { Clock } from '../../ports/clock.ts';

export class WritePause {
  readonly #clock: Clock;
  readonly #waiting = new Set<AbortController>();
  #busy = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An urgent request has started. Call the returned function when it has ended. */
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

  /** Waits until the urgent request has ended, at most this long. */
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
