// What a node still waits for, through stacks that have no Application. The end of such a stack is named as the stack; in
// place of its start stands what that waits for, because a member would seem to wait for the stack that contains it.
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { RunState } from '../run/run-state.ts';

export function pendingDependencies(
  plan: Plan,
  state: RunState,
): (node: PlanNode) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const nodes = new Map(plan.nodes.map((node) => [node.id, node]));
  const of = (node: PlanNode) => [...new Set(node.dependsOn.flatMap(pending))];
  const seen = (id: string): readonly string[] => {
    const node = nodes.get(id);
    if (node === undefined || state.nodes.get(id)?.phase === 'finished') return [];
    if (node.application !== null) return [id];
    const before = of(node);
    return node.kind === 'close' && before.length > 0 ? [id] : before;
  };
  function pending(id: string): readonly string[] {
    const found = known.get(id) ?? seen(id);
    known.set(id, found);
    return found;
  }
  return of;
}
