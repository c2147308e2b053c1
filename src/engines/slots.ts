// How many nodes are in work at once. Who waits for its Application to be made takes no slot from those that it waits for,
// and gets one when something is to be done.
import { Abandoned } from '../session/abandoned.ts';

export class Slots {
  readonly #most: number;
  readonly #taken = new Set<string>();
  /** With an operation that a run which died has left in flight, and not at work themselves yet. */
  readonly #left = new Set<string>();
  /** Who has waited longest is the first. */
  readonly #queue = new Map<string, Set<() => void>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** What was left may be behind others in the order: so one may always be at work. */
  get areFree(): boolean {
    return this.#taken.size === 0 || this.#taken.size + this.#left.size < this.#most;
  }

  /** Who goes on with what was left needs no other. */
  isFreeFor(id: string): boolean {
    return this.#left.has(id) || this.areFree;
  }

  /** They are the first, too: else another one might take the place of what is in flight. */
  inOrder<T extends { readonly id: string }>(ready: readonly T[]): T[] {
    const isLeft = ({ id }: T) => this.#left.has(id);
    return [...ready.filter(isLeft), ...ready.filter((one) => !isLeft(one))];
  }

  markLeftover(id: string): void {
    this.#left.add(id);
  }

  /** What was left has come to its end. */
  forget(id: string): void {
    this.#left.delete(id);
  }

  take(id: string): void {
    this.#left.delete(id);
    this.#taken.add(id);
  }

  giveBack(id: string): void {
    this.#taken.delete(id);
  }

  /** To be called before free slots go to anybody else. */
  admit(): void {
    for (const [id, all] of [...this.#queue]) {
      if (!this.isFreeFor(id)) continue;
      this.take(id);
      this.#queue.delete(id);
      for (const go of all) go();
    }
  }

  /** Resolves when it has one. The Applications of a generated member share its slot, and may all wait for it. */
  async wait(id: string, signal: AbortSignal): Promise<void> {
    if (this.#taken.has(id)) return;
    const waiting = this.#queue.get(id) ?? new Set();
    this.#queue.set(id, waiting);
    await new Promise<void>((resolve) => {
      const go = () => {
        waiting.delete(go);
        if (waiting.size === 0 && this.#queue.get(id) === waiting) this.#queue.delete(id);
        signal.removeEventListener('abort', go);
        resolve();
      };
      waiting.add(go);
      signal.addEventListener('abort', go);
      if (signal.aborted) go();
      this.admit();
    });
    if (signal.aborted) throw new Abandoned();
  }
}
