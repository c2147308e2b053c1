// The shortest cycle, for the one message that a person has to act on.
import { type Graph, idOf, neighbours } from './graph.ts';
import { topologicalOrder } from './order.ts';

/**
 * How many edges the search may look at. The search for the shortest cycle starts once from each node that may lie
 * on one, so huge tangles would take minutes; after this many steps the shortest cycle so far is good enough.
 */
const STEPS_MAX = 20_000_000;

/** The ids of a cycle, each depending on the next and the last on the first, from the smallest id on. */
export function shortestCycle(graph: Graph): string[] | undefined {
  const order = topologicalOrder(graph);
  if (order.length === graph.ids.length) return undefined;
  const suspects = onCycles(graph, order);
  let best: number[] | undefined;
  let steps = 0;
  for (let start = 0; start < graph.ids.length && steps < STEPS_MAX; start++) {
    if (suspects[start] === 0) continue;
    const found = cycleFrom(graph, start, suspects, best?.length ?? Number.POSITIVE_INFINITY);
    steps += found.steps;
    if (found.cycle) best = found.cycle;
  }
  return best?.map((node) => idOf(graph, node));
}

/** Marks what is left when everything before and everything after the cycles is peeled off. */
function onCycles(graph: Graph, order: Uint32Array): Uint8Array {
  const left = new Uint8Array(graph.ids.length).fill(1);
  for (const node of order) left[node] = 0;
  const waiting = new Uint32Array(graph.ids.length);
  const peeled: number[] = [];
  for (let node = 0; node < left.length; node++) {
    if (left[node] === 0) continue;
    for (const other of neighbours(graph.dependents, node)) {
      if (left[other] === 1) waiting[node] = (waiting[node] ?? 0) + 1;
    }
    if (waiting[node] === 0) peeled.push(node);
  }
  for (let node = peeled.pop(); node !== undefined; node = peeled.pop()) {
    left[node] = 0;
    for (const other of neighbours(graph.dependencies, node)) {
      if (left[other] === 0) continue;
      waiting[other] = (waiting[other] ?? 0) - 1;
      if (waiting[other] === 0) peeled.push(other);
    }
  }
  return left;
}

/** Breadth first from one node back to it, over nodes not smaller than it, giving up at the length to beat. */
function cycleFrom(
  graph: Graph,
  start: number,
  suspects: Uint8Array,
  lengthToBeat: number,
): { cycle: number[] | undefined; steps: number } {
  const parents = new Map<number, number>();
  let steps = 0;
  let front = [start];
  for (let length = 1; front.length > 0 && length < lengthToBeat; length++) {
    const next: number[] = [];
    for (const node of front) {
      for (const other of neighbours(graph.dependencies, node)) {
        steps++;
        if (other === start) return { cycle: trace(parents, start, node), steps };
        // Cycles through a smaller node were found from that node already.
        if (other < start || suspects[other] === 0 || parents.has(other)) continue;
        parents.set(other, node);
        next.push(other);
      }
    }
    front = next;
  }
  return { cycle: undefined, steps };
}

function trace(parents: ReadonlyMap<number, number>, start: number, last: number): number[] {
  const cycle: number[] = [];
  for (let node: number | undefined = last; node !== undefined && node !== start; ) {
    cycle.push(node);
    node = parents.get(node);
  }
  return [start, ...cycle.reverse()];
}
