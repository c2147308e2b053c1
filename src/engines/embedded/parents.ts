// The Applications that make others, while they do: whom members wait for, and who need not be watched any longer.

import type { Maker } from '../../node/node-context.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { OPEN_PLATFORM, openIdOf, openOf } from '../../plan/platform-graph.ts';
import type { Cause } from '../../run/events.ts';
import { onAbort } from './on-abort.ts';

interface Parent {
  readonly relieved: AbortController;
  readonly ended: AbortController;
  failure: Cause | undefined;
}

export class Parents {
  /** Opens with an Application, by their ids. */
  readonly #opens: ReadonlyMap<string, PlanNode>;
  readonly #parents = new Map<string, Parent>();

  constructor(plan: Plan) {
    const opens = plan.nodes.filter(({ kind, application }) => kind === 'open' && application);
    this.#opens = new Map(opens.map((node) => [node.id, node]));
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
    const id = this.#makerId(node);
    const parent = id === undefined ? undefined : this.#parents.get(id);
    return (
      parent && {
        ended: parent.ended.signal,
        failure: () => parent.failure,
        contradiction: () => (parent.ended.signal.aborted ? undefined : contradiction()),
      }
    );
  }

  haveOneMaker(node: PlanNode, other: PlanNode): boolean {
    return this.#makerId(node) === this.#makerId(other);
  }

  #makerId(node: PlanNode): string | undefined {
    const ids = [...(node.stack === null ? [] : [openOf(node.stack)]), OPEN_PLATFORM];
    return ids.find((other) => other !== node.id && this.#opens.has(other));
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
