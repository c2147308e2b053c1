// Why a node cannot start yet.
import { type Graph, idOf, neighbours, numberOf } from './graph.ts';

/**
 * The shortest chain from a node to one that blocks it and could itself start: [node, ..., root cause]. Only [node] if
 * nothing blocks it.
 */
export function whyBlocked(graph: Graph, done: ReadonlySet<string>, id: string): string[] {
  const start = numberOf(graph.numbers, id);
  const parents = new Map<number, number | undefined>([[start, undefined]]);
  const queue = [start];
  for (const node of queue) {
    const unmet = [...neighbours(graph.dependencies, node)].filter(
      (other) => !done.has(idOf(graph, other)),
    );
    if (unmet.length === 0) return chain(graph, parents, node);
    for (const other of unmet) {
      if (parents.has(other)) continue;
      parents.set(other, node);
      queue.push(other);
    }
  }
  return [id];
}

function chain(
  graph: Graph,
  parents: ReadonlyMap<number, number | undefined>,
  last: number,
): string[] {
  const ids: string[] = [];
  for (let node: number | undefined = last; node !== undefined; node = parents.get(node)) {
    ids.push(idOf(graph, node));
  }
  return ids.reverse();
}
