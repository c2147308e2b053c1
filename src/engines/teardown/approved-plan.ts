// The plan of a teardown as approved: with Applications that the platform file does not have, and without those that stay.
import type { Inventory } from '../../inventory/inventory.ts';
import type { Plan } from '../../plan/plan.ts';
import { withUnexpected } from '../unexpected.ts';

/** What stays keeps its place in the order, and has no action. The hash stays that of the plan. */
export function approvedPlan(
  plan: Plan,
  { unexpected, left = [] }: Pick<Inventory, 'unexpected' | 'left'>,
): Plan {
  const all = withUnexpected(plan, unexpected);
  const staying = new Set(left.map(({ id }) => id));
  const nodes = all.nodes.map((node) =>
    staying.has(node.id) ? { ...node, application: null } : node,
  );
  return { ...all, nodes };
}
