// The Applications that make others, while they do: whom members wait for, and who need not be watched any longer.

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

  /** An open has started. The signal is given when its operation need not be watched any more. */
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

  /** The nearest parent that this run syncs. `contradiction` is asked for while it is being synced. */
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

  /** What the maker of a node makes beside it, and in which another node is, or which is that one. */
  besideWith(node: PlanNode, other: PlanNode): PlanNode | undefined {
    const [maker] = this.#makersOf(node);
    const outwards = [other, ...this.#makersOf(other)];
    const at = outwards.findIndex(({ id }) => id === maker?.id);
    return at > 0 ? outwards[at - 1] : undefined;
  }

  /** Its close goes on with the operation, or will never come to it. Resolves when the open has let go. */
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
