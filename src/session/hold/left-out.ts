// Nodes that are not put on hold until their automated operations have ended.
import type { PlanNode } from '../../plan/plan.ts';
import type { RunHoldParts } from './run-hold-parts.ts';

const ENDS_MS = 60_000;

export class LeftOut {
  readonly #ends = new Map<string, Promise<void>>();
  readonly #releases = new Map<string, Promise<void>>();

  /** `released`: its name has been removed from the window by then, if it was there. */
  add({ id }: PlanNode, released: Promise<void>, untilEnd: () => Promise<void>): void {
    this.#releases.set(id, released);
    const end = released.then(untilEnd).finally(() => this.#ends.delete(id));
    this.#ends.set(id, end);
  }

  has({ id }: PlanNode): boolean {
    return this.#ends.has(id);
  }

  /** What is waited for, of these nodes. */
  endsOf(nodes: readonly PlanNode[]): Promise<void>[] {
    return nodes.flatMap(({ id }) => this.#ends.get(id) ?? []);
  }

  /**
   * Waits for the nodes that `isEnding`, which may become more meanwhile: for a minute at most, and only while the run has
   * its Lease. Without it, nothing can be put on hold afterwards.
   */
  async awaitEnds(
    nodes: readonly PlanNode[],
    isEnding: (node: PlanNode) => boolean,
    { clock, lost }: Pick<RunHoldParts, 'clock' | 'lost'>,
  ): Promise<void> {
    const ends = () => this.endsOf(nodes.filter(isEnding));
    const enough = new AbortController();
    const over = AbortSignal.any([lost, enough.signal]);
    const limit = clock.sleep(ENDS_MS, over).then(() => enough.abort());
    for (let waits = ends(); waits.length > 0 && !over.aborted; waits = ends())
      await Promise.race([Promise.all(waits), limit]);
    enough.abort();
  }

  async released(nodes: readonly PlanNode[]): Promise<void> {
    await Promise.all(nodes.map(({ id }) => this.#releases.get(id)));
  }

  /** Resolves when no node is left out any more. */
  async complete(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends.values());
  }
}
