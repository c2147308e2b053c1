// Operations that a run which died has left in flight. Each counts as one in work until it ends, or until its node has come
// to its turn and goes on with it.

import type { LookContext } from '../../node/node-context.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
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
    if (!isInFlight(context)) continue;
    slots.markLeftover(node.id);
    void untilEnded(context).then(() => {
      slots.forget(node.id);
      changed();
    });
  }
}

function isInFlight({ session, node, watch }: LookContext): boolean {
  const view = watch.last(addressOf(node));
  return view?.operation !== undefined && ownAttempt(session.identity, node.id, view) !== undefined;
}

async function untilEnded(context: LookContext): Promise<void> {
  const { watch, node, signal } = context;
  while (isInFlight(context) && !signal.aborted) await watch.nextChange(addressOf(node), signal);
}
