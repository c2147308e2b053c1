// Operations that a crashed run left in progress. Each one takes a slot until it ends, or until its node starts and
// continues it.

import type { LookContext } from '../../node/node-context.ts';
import { childOf } from '../../plan/generated.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import { viewsOf } from '../../session/hold/own-operations.ts';
import { ownAttempt } from '../../session/identity.ts';
import type { Slots } from '../slots.ts';

export function countLeftOperations(
  plan: Plan,
  contextOf: (node: PlanNode) => LookContext,
  slots: Slots,
  changed: () => void,
): void {
  for (const node of plan.nodes) {
    if (node.kind !== 'application') continue;
    const context = contextOf(node);
    if (!inFlight(context)) continue;
    slots.markLeftover(node.id);
    void untilEnded(context).then(() => {
      slots.forget(node.id);
      changed();
    });
  }
}

/** The first Application of the node with an operation of this run. */
function inFlight({ session, node, watch }: LookContext): ApplicationView | undefined {
  return viewsOf(node, watch).find((view) => {
    const { id } = node.generated ? childOf(node, view.name) : node;
    return view.operation !== undefined && ownAttempt(session.identity, id, view) !== undefined;
  });
}

async function untilEnded(context: LookContext): Promise<void> {
  const { watch, signal } = context;
  for (let view = inFlight(context); view && !signal.aborted; view = inFlight(context))
    await watch.nextChange(view, signal);
}
