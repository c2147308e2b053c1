// Ways to order the same graph: ours, and others beside it.
import toposort from 'toposort';
import { buildGraph } from '../src/graph/graph.ts';
import { topologicalOrder } from '../src/graph/order.ts';
import type { GeneratedPlatform } from './platforms.ts';

/** The graph and its order alone, which is all that the others do. */
export function ourOrder({ names, edges }: GeneratedPlatform): number {
  return topologicalOrder(buildGraph(dependenciesOf(names, edges))).length;
}

/** A public package; order only: no layers, no critical path, no stacks. */
export function toposortOrder({ names, edges }: GeneratedPlatform): number {
  return toposort.array(names, edges).length;
}

/** What one writes first: again and again, look through everything for what can start now. */
export function naiveOrder({ names, edges }: GeneratedPlatform): number {
  const dependencies = dependenciesOf(names, edges);
  const order: string[] = [];
  let left = [...names];
  while (left.length > 0) {
    const next = left.find((name) => dependencies.get(name)?.every((one) => order.includes(one)));
    if (next === undefined) throw new Error('There is a cycle.');
    order.push(next);
    left = left.filter((name) => name !== next);
  }
  return order.length;
}

function dependenciesOf(
  names: GeneratedPlatform['names'],
  edges: GeneratedPlatform['edges'],
): Map<string, string[]> {
  const dependencies = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const [from, to] of edges) dependencies.get(from)?.push(to);
  return dependencies;
}
