import { expect, test } from 'vitest';
import { buildGraph, neighbours } from '../graph/graph.ts';
import { seeded } from '../simulator/random.ts';
import { OpenWays } from './open-ways.ts';

const NODES = 30;

test('the way is open as a walk over the whole graph says, after any changes', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = seeded(seed);
    const below = (node: number) => Array.from({ length: node }, (_, other) => other);
    const few = (node: number) => below(node).filter(() => random.chance(2 / NODES));
    const id = (node: number) => String(node).padStart(2, '0');
    const entries = below(NODES).map((node) => [id(node), few(node).map(id)] as const);
    const graph = buildGraph(new Map(entries));
    const transparent = below(NODES).map(() => random.chance(0.4));
    const isOpen = below(NODES).map(() => false);
    const ways = new OpenWays(graph, (node) => transparent[node] === true);
    const isFree = (node: number): boolean =>
      [...neighbours(graph.dependencies, node)].every(
        (other) => isOpen[other] && (!transparent[other] || isFree(other)),
      );
    for (let change = 0; change < 100; change++) {
      const node = random.whole(0, NODES - 1);
      isOpen[node] = random.chance(0.7);
      ways.set(node, isOpen[node] === true);
      const free = below(NODES).filter(isFree);
      expect(below(NODES).filter((one) => ways.isOpenTo(one))).toEqual(free);
      expect(ways.open(() => true).sort((a, b) => a - b)).toEqual(free);
    }
  }
});
