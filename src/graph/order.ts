// An order in which every node comes after its dependencies (Kahn's algorithm).
import { type Graph, neighbours } from './graph.ts';

/** Node numbers in order. Shorter than the graph if and only if there is a cycle: its nodes are missing. */
export function topologicalOrder(graph: Graph): Uint32Array {
  const count = graph.ids.length;
  const waiting = new Uint32Array(count);
  const order = new Uint32Array(count);
  let end = 0;
  for (let node = 0; node < count; node++) {
    waiting[node] = neighbours(graph.dependencies, node).length;
    if (waiting[node] === 0) order[end++] = node;
  }
  for (let at = 0; at < end; at++) {
    for (const dependent of neighbours(graph.dependents, order[at] ?? 0)) {
      const left = (waiting[dependent] ?? 0) - 1;
      waiting[dependent] = left;
      if (left === 0) order[end++] = dependent;
    }
  }
  return order.subarray(0, end);
}

/**
 * For each node the greatest sum of weights over the chains that end before it. With all weights 1 this is its depth.
 * The graph must have no cycle.
 */
export function longestBefore(
  graph: Graph,
  order: Uint32Array,
  weight: (node: number) => number,
): Float64Array {
  const before = new Float64Array(graph.ids.length);
  for (const node of order) {
    let longest = 0;
    for (const dependency of neighbours(graph.dependencies, node)) {
      longest = Math.max(longest, (before[dependency] ?? 0) + weight(dependency));
    }
    before[node] = longest;
  }
  return before;
}
