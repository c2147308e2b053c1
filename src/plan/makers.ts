// Who makes the Application of a node: the parents that contain it.
import type { Plan, PlanNode } from './plan.ts';

/**
 * Of a deployment: the opens with an Application around a node, the nearest first. Only what contains a node is an open that
 * it depends on, and a scope with a stack has all that is in it.
 */
export function makersOf({ nodes }: Pick<Plan, 'nodes'>): (node: PlanNode) => readonly PlanNode[] {
  const opens = new Map(nodes.flatMap((node) => (node.kind === 'open' ? [[node.id, node]] : [])));
  const around = ({ dependsOn }: PlanNode) =>
    opens.get(dependsOn.find((id) => opens.has(id)) ?? '');
  return (node) => {
    const makers: PlanNode[] = [];
    for (let at = around(node); at; at = around(at)) if (at.application !== null) makers.push(at);
    return makers;
  };
}
