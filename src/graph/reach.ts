// What can be reached from a set of nodes, and the graph that remains without some nodes.
import { type Edges, type Graph, neighbours } from './graph.ts';

/** Marks the seeds and everything reachable from them. */
export function reach(edges: Edges, seeds: Iterable<number>): Uint8Array {
  const marked = new Uint8Array(edges.offsets.length - 1);
  const queue = [...seeds];
  for (const seed of queue) marked[seed] = 1;
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const other of neighbours(edges, node)) {
      if (marked[other] === 1) continue;
      marked[other] = 1;
      queue.push(other);
    }
  }
  return marked;
}

/**
 * The dependencies of each kept node among the kept ones: direct ones, and those behind nodes that are not kept, so that
 * leaving nodes out never loosens the order of the rest.
 */
export function dependenciesAmong(graph: Graph, order: Uint32Array, kept: Uint8Array): number[][] {
  const among: number[][] = graph.ids.map(() => []);
  // Skips nodes that no kept node waits for: their lists would be long and unused.
  const needed = reach(
    graph.dependencies,
    order.filter((node) => kept[node] === 1),
  );
  for (const node of order) {
    if (needed[node] === 0) continue;
    const found = new Set<number>();
    for (const dependency of neighbours(graph.dependencies, node)) {
      if (kept[dependency] === 1) found.add(dependency);
      else for (const behind of among[dependency] ?? []) found.add(behind);
    }
    among[node] = [...found].sort((a, b) => a - b);
  }
  return among;
}
