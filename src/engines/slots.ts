// Limits the number of nodes in progress. A node that waits for its Application to be created takes no slot from those it
// waits for, and gets one when it has work to do.
import { Abandoned } from '../session/abandoned.ts';

export class Slots {
  readonly #most: number;
  readonly #taken = new Set<string>();
  /** Nodes with an operation that a crashed run left in progress, which have not started themselves yet. */
  readonly #left = new Set<string>();
  /** The longest-waiting node comes first. */
  readonly #queue = new Map<string, Set<() => void>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Left operations may belong to nodes later in the order: so one node may always run. */
  get areFree(): boolean {
    return this.#taken.size === 0 || this.#taken.size + this.#left.size < this.#most;
  }

  /** A node that continues a left operation needs no other slot. */
  isFreeFor(id: string): boolean {
    return this.#left.has(id) || this.areFree;
  }

  /** These also go first: otherwise another node might take the slot of an operation in progress. */
  inOrder<T extends { readonly id: string }>(ready: readonly T[]): T[] {
    const isLeft = ({ id }: T) => this.#left.has(id);
    return [...ready.filter(isLeft), ...ready.filter((one) => !isLeft(one))];
  }

  markLeftover(id: string): void {
    this.#left.add(id);
  }

  /** A left operation has ended. */
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

  /** Call before free slots go to other nodes. */
  admit(): void {
    for (const [id, all] of [...this.#queue]) {
      if (!this.isFreeFor(id)) continue;
      this.take(id);
      this.#queue.delete(id);
      for (const go of all) go();
    }
  }

  /** Resolves when it has a slot. The Applications of a generated member share its slot, and may all wait for it. */
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
