// How long everything would take without one of the nodes, for all of them at once: what a change of it can win.
import { type Graph, neighbours } from './graph.ts';

export interface Lengths {
  /** By node, the longest sum of weights over the chains before it and behind it, its own not counted. */
  readonly before: Float64Array;
  readonly behind: Float64Array;
}

/**
 * For each node the longest chain that does not pass through it. In an order of the graph such a chain lies wholly before
 * the node, wholly after it, or steps over its place by one of its edges.
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
  // What has ended before a place, from the left; what begins after it, from the right.
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

/** An edge over places of the order, with the longest chain that uses it. */
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

/** The steps come longest first, so each place is set once; places that are set are jumped over. */
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
