import { expect, test } from 'vitest';
import { buildGraph, idOf } from './graph.ts';
import { impliedDependencies } from './implied.ts';

function implied(entries: Record<string, string>): string[] {
  const lists = Object.entries(entries).map(([id, text]): [string, string[]] => [
    id,
    text.split(' ').filter(Boolean),
  ]);
  const graph = buildGraph(new Map(lists));
  return impliedDependencies(graph).flatMap((targets, node) =>
    targets.map((target) => `${idOf(graph, node)}>${idOf(graph, target)}`),
  );
}

test('an edge that a longer way stands for', () => {
  expect(implied({ a: 'b c', b: 'c', c: '' })).toEqual(['a>c']);
  expect(implied({ a: 'b d', b: 'c', c: 'd', d: '' })).toEqual(['a>d']);
});

test('two ways of the same length are both needed', () => {
  expect(implied({ a: 'b c', b: 'd', c: 'd', d: '' })).toEqual([]);
});

test('what is left reaches the same', () => {
  // Every number depends on its divisors.
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
  const divisors = (n: number) => numbers.filter((d) => d < n && n % d === 0);
  const left = new Set(
    implied(Object.fromEntries(numbers.map((n) => [`${n}`, divisors(n).join(' ')]))),
  );
  const isPrime = (n: number) => divisors(n).length === 1;
  for (const n of numbers)
    for (const d of divisors(n))
      expect([n, d, left.has(`${n}>${d}`)]).toEqual([n, d, !isPrime(n / d)]);
});
