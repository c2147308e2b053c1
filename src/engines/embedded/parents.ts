// The parents that create Applications, while they do: what members wait for, and which operations need not be watched any
// longer.

import type { Maker } from '../../node/node-context.ts';
import { makersOf } from '../../plan/makers.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { openIdOf } from '../../plan/platform-graph.ts';
import type { Cause } from '../../run/events.ts';
import { onAbort } from './on-abort.ts';

interface Parent {
  readonly relieved: AbortController;
  readonly ended: AbortController;
  failure: Cause | undefined;
}

export class Parents {
  readonly #makersOf: ReturnType<typeof makersOf>;
  readonly #parents = new Map<string, Parent>();

  constructor(plan: Plan) {
    this.#makersOf = makersOf(plan);
  }

  /** An open node has started. The signal fires when its operation no longer needs to be watched. */
  begin({ id }: PlanNode): AbortSignal {
    const parent = {
      relieved: new AbortController(),
      ended: new AbortController(),
      failure: undefined,
    };
    this.#parents.set(id, parent);
    return parent.relieved.signal;
  }

  end({ id }: PlanNode, failure: Cause | undefined): void {
    const parent = this.#parents.get(id);
    if (!parent) return;
    parent.failure = failure;
    parent.ended.abort();
  }

  /** The nearest parent that this run syncs. `contradiction` is evaluated while it is syncing. */
  makerOf(node: PlanNode, contradiction: () => string | undefined): Maker | undefined {
    const [maker] = this.#makersOf(node);
    const parent = maker && this.#parents.get(maker.id);
    return (
      parent && {
        ended: parent.ended.signal,
        failure: () => parent.failure,
        contradiction: () => (parent.ended.signal.aborted ? undefined : contradiction()),
      }
    );
  }

  /** The sibling under the same parent that contains another node, or is that node. */
  besideWith(node: PlanNode, other: PlanNode): PlanNode | undefined {
    const [maker] = this.#makersOf(node);
    const outwards = [other, ...this.#makersOf(other)];
    const at = outwards.findIndex(({ id }) => id === maker?.id);
    return at > 0 ? outwards[at - 1] : undefined;
  }

  /** Its close continues the operation, or will never start. Resolves when the open node has finished. */
  async relieve(close: PlanNode): Promise<void> {
    const parent = this.#parents.get(openIdOf(close));
    if (!parent) return;
    parent.relieved.abort();
    await new Promise<void>((resolve) => onAbort(parent.ended.signal, resolve));
  }

  relieveAll(): void {
    for (const { relieved } of this.#parents.values()) relieved.abort();
  }
}
