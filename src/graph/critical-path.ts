// The chain of dependencies that determines the total time.
import { type Graph, neighbours } from './graph.ts';
import { longestBefore } from './order.ts';

export interface CriticalPath {
  /** Node numbers, first to last. */
  readonly nodes: readonly number[];
  readonly length: number;
}

/** The longest chain to one of the ends; among equal ones, the one whose ids come first, compared from its end. */
export function criticalPath(
  graph: Graph,
  order: Uint32Array,
  weight: (node: number) => number,
  ends: Uint32Array = order,
): CriticalPath {
  const before = longestBefore(graph, order, weight);
  const finish = (node: number) => (before[node] ?? 0) + weight(node);
  const latest = firstMax(ends.slice().sort(), finish);
  if (latest === undefined) return { nodes: [], length: 0 };
  const nodes = [latest];
  for (let node: number | undefined = latest; node !== undefined; ) {
    node = firstMax(neighbours(graph.dependencies, node), finish);
    if (node !== undefined) nodes.push(node);
  }
  return { nodes: nodes.reverse(), length: finish(latest) };
}

function firstMax(nodes: Iterable<number>, value: (node: number) => number): number | undefined {
  let best: number | undefined;
  for (const node of nodes) {
    if (best === undefined || value(node) > value(best)) best = node;
  }
  return best;
}
