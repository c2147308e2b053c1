// The shortest cycle, because a person has to break it.
import { type Edges, type Graph, idOf, neighbours } from './graph.ts';

/**
 * The maximum number of edges that the search visits. It starts once from each node that may be on a cycle, so a huge
 * tangle would take minutes; after this many steps the shortest cycle found so far is good enough.
 */
const STEPS_MAX = 20_000_000;

/** The ids of a cycle, each depending on the next and the last on the first, from the smallest id on. */
export function shortestCycle(graph: Graph): string[] | undefined {
  const suspects = suspectsOf(graph);
  const search = searchIn(graph, suspects.left);
  let best: number[] | undefined;
  let steps = 0;
  for (let start = 0; start < graph.ids.length && steps < STEPS_MAX; start++) {
    if (suspects.left[start] === 0) continue;
    const found = search(start, best?.length ?? Number.POSITIVE_INFINITY);
    steps += found.steps;
    if (found.cycle) best = found.cycle;
    // All cycles through this node are known now.
    suspects.remove(start);
  }
  return best?.map((node) => idOf(graph, node));
}

/** Nodes that may be on a cycle: those left after repeatedly removing nodes without dependencies or without dependents. */
function suspectsOf(graph: Graph): { left: Uint8Array; remove: (node: number) => void } {
  const left = new Uint8Array(graph.ids.length).fill(1);
  const sides = [
    { edges: graph.dependencies, counts: degrees(graph.dependents) },
    { edges: graph.dependents, counts: degrees(graph.dependencies) },
  ];
  const remove = (first: number) => {
    left[first] = 0;
    const queue = [first];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      for (const { edges, counts } of sides) {
        for (const other of neighbours(edges, node)) {
          const count = (counts[other] ?? 0) - 1;
          counts[other] = count;
          if (count > 0 || left[other] === 0) continue;
          left[other] = 0;
          queue.push(other);
        }
      }
    }
  };
  const ends = sides.map(({ counts }) => counts.slice());
  for (const counts of ends) {
    for (const [node, count] of counts.entries()) {
      if (count === 0 && left[node] === 1) remove(node);
    }
  }
  return { left, remove };
}

function degrees({ offsets }: Edges): Int32Array {
  const counts = new Int32Array(offsets.length - 1);
  for (const node of counts.keys()) counts[node] = (offsets[node + 1] ?? 0) - (offsets[node] ?? 0);
  return counts;
}

/** Breadth-first search from a node back to itself, over the remaining nodes, up to the length to beat. */
function searchIn(graph: Graph, left: Uint8Array) {
  const parents = new Uint32Array(left.length);
  const seenFrom = new Int32Array(left.length).fill(-1);
  return (start: number, lengthToBeat: number): { cycle?: number[]; steps: number } => {
    let steps = 0;
    let front = [start];
    for (let length = 1; front.length > 0 && length < lengthToBeat; length++) {
      const next: number[] = [];
      for (const node of front) {
        for (const other of neighbours(graph.dependencies, node)) {
          steps++;
          if (other === start) return { cycle: trace(parents, start, node), steps };
          if (left[other] === 0 || seenFrom[other] === start) continue;
          seenFrom[other] = start;
          parents[other] = node;
          next.push(other);
        }
      }
      front = next;
    }
    return { steps };
  };
}

function trace(parents: Uint32Array, start: number, last: number): number[] {
  const cycle: number[] = [];
  for (let node = last; node !== start; node = parents[node] ?? start) cycle.push(node);
  return [start, ...cycle.reverse()];
}
