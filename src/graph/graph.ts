// A directed graph of string ids with their dependencies. It does not know what the ids mean. Internally, ids are numbers
// in sorted order and edges are in flat arrays, so every algorithm on it takes linear time and memory and gives the same
// result for any order of the input.

/** The neighbours of node n are targets[offsets[n]] to targets[offsets[n + 1]]. */
export interface Edges {
  readonly offsets: Uint32Array;
  readonly targets: Uint32Array;
}

export interface Graph {
  /** Sorted. A node's number is its index here. */
  readonly ids: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly dependencies: Edges;
  readonly dependents: Edges;
}

/** Every dependency must have its own entry. */
export function buildGraph(entries: ReadonlyMap<string, Iterable<string>>): Graph {
  const ids = [...entries.keys()].sort();
  const numbers = new Map(ids.map((id, number) => [id, number]));
  const lists = ids.map((id) => {
    const targets = new Set<number>();
    for (const other of entries.get(id) ?? []) targets.add(numberOf(numbers, other));
    return [...targets].sort((a, b) => a - b);
  });
  const dependencies = pack(lists);
  return { ids, numbers, dependencies, dependents: reverseEdges(dependencies) };
}

/** The same nodes with every edge reversed. */
export function transpose(graph: Graph): Graph {
  return { ...graph, dependencies: graph.dependents, dependents: graph.dependencies };
}

export function neighbours(edges: Edges, node: number): Uint32Array {
  return edges.targets.subarray(edges.offsets[node], edges.offsets[node + 1]);
}

export function idOf(graph: Graph, node: number): string {
  return graph.ids[node] ?? '';
}

export function numberOf(numbers: ReadonlyMap<string, number>, id: string): number {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`The graph has no node "${id}".`);
  return number;
}

function pack(lists: readonly (readonly number[])[]): Edges {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [node, list] of lists.entries())
    offsets[node + 1] = (offsets[node] ?? 0) + list.length;
  const targets = new Uint32Array(offsets[lists.length] ?? 0);
  for (const [node, list] of lists.entries()) targets.set(list, offsets[node]);
  return { offsets, targets };
}

function reverseEdges({ offsets, targets }: Edges): Edges {
  const count = offsets.length - 1;
  const reversed = new Uint32Array(count + 1);
  for (const target of targets) reversed[target + 1] = (reversed[target + 1] ?? 0) + 1;
  for (let node = 0; node < count; node++) {
    reversed[node + 1] = (reversed[node + 1] ?? 0) + (reversed[node] ?? 0);
  }
  const next = reversed.slice();
  const sources = new Uint32Array(targets.length);
  for (let node = 0; node < count; node++) {
    for (const target of neighbours({ offsets, targets }, node)) {
      const place = next[target] ?? 0;
      sources[place] = node;
      next[target] = place + 1;
    }
  }
  return { offsets: reversed, targets: sources };
}
