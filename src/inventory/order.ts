// Which node of a plan waits for which, over any number of steps.
import { buildGraph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import type { Plan } from '../plan/plan.ts';

export function orderOf(plan: Plan): (later: string, earlier: string) => boolean {
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  const reached = new Map<string, Uint8Array>();
  return (later, earlier) => {
    const known = reached.get(later) ?? reach(graph.dependencies, [numberOf(graph.numbers, later)]);
    reached.set(later, known);
    return known[numberOf(graph.numbers, earlier)] === 1;
  };
}
