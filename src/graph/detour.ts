// How long the whole graph would take without one node, computed for all nodes together: what speeding up that node can
// gain.
import { type Graph, neighbours } from './graph.ts';

export interface Lengths {
  /** By node, the longest sum of weights over the chains before it and after it, without its own weight. */
  readonly before: Float64Array;
  readonly behind: Float64Array;
}

/**
 * For each node, the longest chain that does not pass through it. In a topological order, such a chain is entirely before
 * the node, entirely after it, or jumps over its position with one edge.
 */
export function longestAvoiding(
  graph: Graph,
  order: Uint32Array,
  weight: (node: number) => number,
  { before, behind }: Lengths,
): Float64Array {
  const count = order.length;
  const place = new Uint32Array(graph.ids.length);
  for (const [at, node] of order.entries()) place[node] = at;
  const until = (node: number) => (before[node] ?? 0) + weight(node);
  const from = (node: number) => (behind[node] ?? 0) + weight(node);
  const over = longestOver(count, stepsOf(graph, order, place, until, from));
  const longest = new Float64Array(graph.ids.length);
  // Chains that end before a position, from the left; chains that start after it, from the right.
  for (let at = 0, left = 0; at < count; at++) {
    const node = order[at] ?? 0;
    longest[node] = Math.max(left, over[at] ?? 0);
    left = Math.max(left, until(node));
  }
  for (let at = count - 1, right = 0; at >= 0; at--) {
    const node = order[at] ?? 0;
    longest[node] = Math.max(longest[node] ?? 0, right);
    right = Math.max(right, from(node));
  }
  return longest;
}

/** An edge over positions of the order, with the longest chain that uses it. */
interface Step {
  readonly first: number;
  readonly last: number;
  readonly length: number;
}

function stepsOf(
  graph: Graph,
  order: Uint32Array,
  place: Uint32Array,
  until: (node: number) => number,
  from: (node: number) => number,
): Step[] {
  const steps: Step[] = [];
  for (const node of order) {
    for (const dependency of neighbours(graph.dependencies, node)) {
      const [first, last] = [(place[dependency] ?? 0) + 1, (place[node] ?? 0) - 1];
      if (first <= last) steps.push({ first, last, length: until(dependency) + from(node) });
    }
  }
  return steps.sort((a, b) => b.length - a.length);
}

/** The steps are sorted by length, longest first, so each position is set once; positions already set are skipped. */
function longestOver(count: number, steps: readonly Step[]): Float64Array {
  const longest = new Float64Array(count);
  const next = Uint32Array.from({ length: count + 1 }, (_, at) => at);
  const free = (at: number): number => {
    let found = at;
    while (next[found] !== found) {
      next[found] = next[next[found] ?? 0] ?? 0;
      found = next[found] ?? 0;
    }
    return found;
  };
  for (const { first, last, length } of steps) {
    for (let at = free(first); at <= last; at = free(at)) {
      longest[at] = length;
      next[at] = at + 1;
    }
  }
  return longest;
}
