// How many nodes are in work at once. Who waits for its Application to be made takes no slot from those that it waits for,
// and gets one when something is to be done.
import { Abandoned } from '../../run/node-context.ts';

export class Slots {
  readonly #most: number;
  readonly #taken = new Set<string>();
  /** Who has waited longest is the first. */
  readonly #queue = new Map<string, () => void>();

  constructor(most: number) {
    this.#most = most;
  }

  get areFree(): boolean {
    return this.#taken.size < this.#most;
  }

  take(id: string): void {
    this.#taken.add(id);
  }

  giveBack(id: string): void {
    this.#taken.delete(id);
  }

  /** To be called before free slots go to anybody else. */
  admit(): void {
    for (const [id, go] of [...this.#queue]) {
      if (!this.areFree) return;
      this.take(id);
      go();
    }
  }

  /** Resolves when it has one. */
  async wait(id: string, signal: AbortSignal): Promise<void> {
    if (this.#taken.has(id)) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#queue.delete(id);
        signal.removeEventListener('abort', go);
        resolve();
      };
      this.#queue.set(id, go);
      signal.addEventListener('abort', go);
      if (signal.aborted) go();
      this.admit();
    });
    if (signal.aborted) throw new Abandoned();
  }
}
