// The graph's algorithms on random plain graphs, against the oracle.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { criticalPath } from '../../src/graph/critical-path.ts';
import { shortestCycle } from '../../src/graph/cycle.ts';
import { buildGraph, idOf, numberOf, transpose } from '../../src/graph/graph.ts';
import { longestBefore, topologicalOrder } from '../../src/graph/order.ts';
import { dependenciesAmong, reach } from '../../src/graph/reach.ts';
import { whyBlocked } from '../../src/graph/why-blocked.ts';
import { acyclicLists, anyLists, subsets, weights } from './graphs.ts';
import {
  chains,
  closure,
  heaviest,
  isCyclic,
  prerequisites,
  relationOf,
  restrict,
  shortestCycleLength,
  stepsTo,
  waitsFor,
} from './oracle.ts';
import { holds, repeatable } from './repeatable.ts';

repeatable(20_260_101, 1000);

describe('random graphs', () => {
  test('have a topological order that leaves out what is on or behind a cycle', () => {
    holds(
      fc.property(anyLists, (lists) => {
        const graph = buildGraph(lists);
        const far = closure(relationOf(lists));
        const order = [...topologicalOrder(graph)].map((node) => idOf(graph, node));
        const looped = far.ids.filter((id) => waitsFor(far, id, id));
        const free = far.ids.filter(
          (id) => ![id, ...prerequisites(far, [id])].some((o) => looped.includes(o)),
        );
        expect([...order].sort()).toEqual([...free].sort());
        for (const [at, id] of order.entries()) {
          expect(order.slice(0, at)).toEqual(expect.arrayContaining([...(lists.get(id) ?? [])]));
        }
      }),
    );
  });

  test('have a shortest cycle if and only if they have one, as long as the oracle says', () => {
    let cyclic = 0;
    holds(
      fc.property(anyLists, (lists) => {
        const cycle = shortestCycle(buildGraph(lists));
        expect(cycle?.length).toBe(shortestCycleLength(relationOf(lists)));
        expect(cycle !== undefined).toBe(isCyclic(relationOf(lists)));
        if (!cycle) return;
        cyclic++;
        expect(new Set(cycle).size).toBe(cycle.length);
        expect(cycle[0]).toBe([...cycle].sort()[0]);
        for (const [at, id] of cycle.entries()) {
          expect(lists.get(id)).toContain(cycle[(at + 1) % cycle.length]);
        }
      }),
    );
    expect(cyclic).toBeGreaterThan(200);
    expect(cyclic).toBeLessThan(900);
  });

  test('lead from some nodes to exactly what these wait for, and back', () => {
    holds(
      fc.property(anyLists, subsets, (lists, some) => {
        const graph = buildGraph(lists);
        const far = closure(relationOf(lists));
        const seeds = some.filter((id) => lists.has(id));
        const numbers = seeds.map((id) => numberOf(graph.numbers, id));
        const marked = (of: Uint8Array) => graph.ids.filter((_, node) => of[node] === 1);
        expect(marked(reach(graph.dependencies, numbers))).toEqual(
          [...new Set([...seeds, ...prerequisites(far, seeds)])].sort(),
        );
        const dependents = far.ids.filter((a) => seeds.some((b) => waitsFor(far, a, b)));
        const back = reach(transpose(graph).dependencies, numbers);
        expect(marked(back)).toEqual([...new Set([...seeds, ...dependents])].sort());
      }),
    );
  });

  test('keep their order when nodes are left out', () => {
    holds(
      fc.property(acyclicLists, subsets, (lists, some) => {
        const graph = buildGraph(lists);
        const kept = graph.ids.filter((id) => some.includes(id));
        const marks = Uint8Array.from(graph.ids, (id) => Number(kept.includes(id)));
        const among = dependenciesAmong(graph, topologicalOrder(graph), marks);
        const left = kept.map((id): [string, string[]] => {
          const numbers = among[numberOf(graph.numbers, id)] ?? [];
          return [id, numbers.map((node) => idOf(graph, node))];
        });
        expect(left.flatMap(([, others]) => others).every((id) => kept.includes(id))).toBe(true);
        const expected = restrict(closure(relationOf(lists)), kept);
        expect(restrict(closure(relationOf(new Map(left))), kept)).toEqual(expected);
      }),
    );
  });

  test('have the critical path that comes first among the heaviest of all chains', () => {
    holds(
      fc.property(acyclicLists, weights, (lists, byId) => {
        const graph = buildGraph(lists);
        const order = topologicalOrder(graph);
        const weight = (id: string) => byId.get(id) ?? 1;
        const ofNode = (node: number) => weight(idOf(graph, node));
        const sum = (chain: string[]) => chain.reduce((total, id) => total + weight(id), 0);
        const all = chains(relationOf(lists));
        const length = Math.max(0, ...all.map(sum));
        const fromEnd = (chain: string[]) =>
          JSON.stringify([...chain].reverse().map((id) => graph.ids.indexOf(id)));
        const [first] = all
          .filter((chain) => sum(chain) === length)
          .map(fromEnd)
          .sort();
        const path = criticalPath(graph, order, ofNode);
        expect(path.length).toBe(length);
        expect(JSON.stringify([...path.nodes].reverse())).toBe(first ?? '[]');
        const sums = heaviest(relationOf(lists), weight);
        const longest = longestBefore(graph, order, ofNode);
        for (const [node, id] of graph.ids.entries()) {
          expect(longest[node]).toBe((sums.get(id) ?? 0) - weight(id));
        }
      }),
    );
  });

  test('say why something cannot start yet', () => {
    holds(
      fc.property(anyLists, subsets, (lists, some) => {
        const graph = buildGraph(lists);
        const done = new Set(some.filter((id) => lists.has(id)));
        const open = graph.ids.filter((id) => !done.has(id));
        const unmet = new Map(
          open.map((id) => [id, (lists.get(id) ?? []).filter((o) => !done.has(o))]),
        );
        const ready = open.filter((id) => unmet.get(id)?.length === 0);
        for (const id of open) {
          const chain = whyBlocked(graph, done, id);
          const distance = stepsTo(unmet, id, ready);
          expect(chain[0]).toBe(id);
          // On a cycle nothing can start, so there is nothing to point to.
          expect(chain.length - 1).toBe(distance ?? 0);
          if (distance !== undefined) expect(ready).toContain(chain.at(-1));
          for (const [at, other] of chain.slice(1).entries()) {
            expect(unmet.get(chain[at] ?? '')).toContain(other);
          }
        }
      }),
    );
  });
});
