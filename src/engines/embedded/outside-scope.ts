// Dependencies outside the scope are not synced, but watched like the rest: if one becomes unhealthy, nodes that have not
// sent their request wait.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { RequiredGate } from '../inspect/required-gates.ts';

/** No node has such an id. */
const OUTSIDE = 'outside';

/** The plan as the schedule sees it: everything depends on one join of the outside gates. */
export function withOutside(plan: Plan, required: readonly RequiredGate[]): Plan {
  const [first] = required;
  if (!first) return plan;
  const outside = required.map(({ node }): PlanNode => ({ ...node, dependsOn: [] }));
  const join: PlanNode = {
    ...first.node,
    id: OUTSIDE,
    kind: 'close',
    application: null,
    argocd: null,
    dependsOn: outside.map(({ id }) => id),
    expectedDuration: 0,
  };
  const inside = plan.nodes.map((node) => ({ ...node, dependsOn: [...node.dependsOn, OUTSIDE] }));
  return { ...plan, nodes: [...outside, join, ...inside] };
}

/** Their gates are open when the run starts. */
export function openOutside(required: readonly RequiredGate[]): string[] {
  return required.length > 0 ? [...required.map(({ node }) => node.id), OUTSIDE] : [];
}
