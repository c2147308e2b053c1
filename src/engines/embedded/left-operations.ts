// Operations that a run which died has left in flight. Each counts as one in work until it ends, or until its node has come
// to its turn and goes on with it.

import type { NodeContext } from '../../node/node-context.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Emit } from '../../run/events.ts';
import { ownAttempt } from '../../session/identity.ts';
import type { Slots } from '../slots.ts';

interface Left {
  readonly plan: Plan;
  readonly contextOf: (node: PlanNode, emit: Emit) => NodeContext;
}

export function countLeftOperations(
  { plan, contextOf }: Left,
  slots: Slots,
  changed: () => void,
): void {
  for (const node of plan.nodes) {
    if (node.kind !== 'application') continue;
    const context = contextOf(node, () => {});
    if (!isInFlight(context)) continue;
    slots.leave(node.id);
    void untilEnded(context).then(() => {
      slots.forget(node.id);
      changed();
    });
  }
}

function isInFlight({ run, node, watch, address }: NodeContext): boolean {
  const view = watch.last(address);
  return view?.operation !== undefined && ownAttempt(run, node.id, view) !== undefined;
}

async function untilEnded(context: NodeContext): Promise<void> {
  const { watch, address, signal } = context;
  while (isInFlight(context) && !signal.aborted) await watch.nextChange(address, signal);
}
