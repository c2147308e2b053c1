// What a scope depends on outside of it is not acted on, but kept in sight like the rest: one that falls holds back
// whatever has not sent its request.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { RequiredGate } from '../inspect/required-gates.ts';

/** No node has such an id. */
const OUTSIDE = 'outside';

/** The plan as the schedule sees it: everything behind one join of what is outside. */
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

/** Their gates are open when the run begins. */
export function openOutside(required: readonly RequiredGate[]): string[] {
  return required.length > 0 ? [...required.map(({ node }) => node.id), OUTSIDE] : [];
}
