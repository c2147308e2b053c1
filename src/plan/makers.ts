// Which parents create the Application of a node: those that contain it.
import type { Plan, PlanNode } from './plan.ts';

/**
 * For a deployment: the open nodes with an Application that contain a node, nearest first. A node depends on no other open
 * nodes, and a scope with a stack includes everything in it.
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
