// Edges that say nothing new: another way leads to the same node.
import { type Graph, neighbours } from './graph.ts';
import { longestBefore, topologicalOrder } from './order.ts';

/** For each node the dependencies that it has through others, too. The graph must have no cycle. */
export function impliedDependencies(graph: Graph): number[][] {
  const depths = longestBefore(graph, topologicalOrder(graph), () => 1);
  const seenFrom = new Int32Array(graph.ids.length).fill(-1);
  return graph.ids.map((_, node) => {
    const direct = [...neighbours(graph.dependencies, node)];
    if (direct.length < 2) return [];
    // What lies deeper than all of them leads to none of them.
    const lowest = direct.reduce((least, one) => Math.min(least, depths[one] ?? 0), Infinity);
    const queue = [...direct];
    const isImplied = new Set<number>();
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const other of neighbours(graph.dependencies, at)) {
        if (seenFrom[other] === node || (depths[other] ?? 0) < lowest) continue;
        seenFrom[other] = node;
        isImplied.add(other);
        queue.push(other);
      }
    }
    return direct.filter((one) => isImplied.has(one));
  });
}
