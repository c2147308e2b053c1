// A plan with measured durations instead of those of its file. For display: the hash is still that of the file's plan.
import { criticalPath } from '../graph/critical-path.ts';
import { buildGraph, idOf } from '../graph/graph.ts';
import { topologicalOrder } from '../graph/order.ts';
import type { Plan } from './plan.ts';

export interface TimedPlan extends Plan {
  /** The nodes whose durations were measured. The others have those of the file, which are guesses. */
  readonly measured: ReadonlySet<string>;
}

/** A plan to show, with measured durations if there are any. */
export type ShownPlan = Plan & Partial<Pick<TimedPlan, 'measured'>>;

/** `seconds`: by the id of the node. */
export function timedBy(plan: Plan, seconds: ReadonlyMap<string, number>): TimedPlan {
  const nodes = plan.nodes.map((node) => {
    const expectedDuration = seconds.get(node.id) ?? node.expectedDuration;
    return { ...node, expectedDuration };
  });
  const expected = new Map(nodes.map((node) => [node.id, node.expectedDuration]));
  const graph = buildGraph(new Map(nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  const durationOf = (node: number) => expected.get(idOf(graph, node)) ?? 0;
  const critical = criticalPath(graph, topologicalOrder(graph), durationOf);
  return {
    ...plan,
    nodes,
    criticalPath: critical.nodes.map((node) => idOf(graph, node)),
    expectedDuration: critical.length,
    measured: new Set(plan.nodes.flatMap(({ id }) => (seconds.has(id) ? [id] : []))),
  };
}
