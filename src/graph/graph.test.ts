// Graphs as text: "a: b c" means that a depends on b and c.
import { expect, test } from 'vitest';
import { criticalPath } from './critical-path.ts';
import { shortestCycle } from './cycle.ts';
import { buildGraph, type Graph, idOf, transpose } from './graph.ts';
import { topologicalOrder } from './order.ts';
import { dependenciesAmong, reach } from './reach.ts';
import { whyBlocked } from './why-blocked.ts';

function graphOf(text: string): Graph {
  const entries = text.split('\n').map((line): [string, string[]] => {
    const [id = '', rest = ''] = line.split(':');
    return [id.trim(), rest.split(' ').filter((word) => word !== '')];
  });
  return buildGraph(new Map(entries));
}

const DIAMOND = 'top: left right\nleft: base\nright: base\nbase:';
const ids = (graph: Graph, nodes: Iterable<number>) =>
  [...nodes].map((n) => idOf(graph, n)).join(' ');

test('an order puts dependencies first', () => {
  const graph = graphOf(DIAMOND);
  expect(ids(graph, topologicalOrder(graph))).toBe('base left right top');
  expect(ids(graph, topologicalOrder(transpose(graph)))).toBe('top left right base');
});

test('an unknown dependency is a mistake of the caller', () => {
  expect(() => graphOf('a: b')).toThrow('no node "b"');
});

test.each([
  ['none', DIAMOND, undefined],
  ['itself', 'a: a', ['a']],
  ['the shorter of two', 'a: b\nb: c\nc: a d\nd: e\ne: d', ['d', 'e']],
  ['with what hangs before and after left out', 'x: a\na: b\nb: a y\ny:', ['a', 'b']],
])('cycle: %s', (_, text, cycle) => expect(shortestCycle(graphOf(text))).toEqual(cycle));

test('the critical path is the longest chain; of equal ones, the first by name', () => {
  const graph = graphOf(DIAMOND);
  const order = topologicalOrder(graph);
  const even = criticalPath(graph, order, () => 10);
  expect([ids(graph, even.nodes), even.length]).toEqual(['base left top', 30]);
  const slowRight = criticalPath(graph, order, (n) => (idOf(graph, n) === 'right' ? 15 : 10));
  expect([ids(graph, slowRight.nodes), slowRight.length]).toEqual(['base right top', 35]);
});

test('closure', () => {
  const graph = graphOf(`${DIAMOND}\nother:`);
  const marked = reach(graph.dependencies, [graph.numbers.get('left') ?? -1]);
  expect(graph.ids.filter((_, n) => marked[n] === 1)).toEqual(['base', 'left']);
});

test('what is left out keeps its place in the order of the rest', () => {
  const graph = graphOf('a: b\nb: c\nc:');
  const kept = Uint8Array.from(graph.ids, (id) => (id === 'b' ? 0 : 1));
  const among = dependenciesAmong(graph, topologicalOrder(graph), kept);
  expect(ids(graph, among[graph.numbers.get('a') ?? -1] ?? [])).toBe('c');
});

test('why something cannot start yet', () => {
  const graph = graphOf(DIAMOND);
  expect(whyBlocked(graph, new Set(['base', 'left']), 'top')).toEqual(['top', 'right']);
  expect(whyBlocked(graph, new Set(), 'top')).toEqual(['top', 'left', 'base']);
  expect(whyBlocked(graph, new Set(), 'base')).toEqual(['base']);
});
