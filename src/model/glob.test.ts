import { expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['*', 'anything/at all', true],
  ['a*', 'a', true],
  ['a*', 'ba', false],
  ['*a', 'ba', true],
  ['*a', 'ab', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['ab*ba', 'aba', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*.crossplane.io/*', 'aws.crossplane.io/Bucket', true],
  ['*.crossplane.io/*', 'crossplane.io/Bucket', false],
  ['a.c', 'abc', false],
  ['**a**', 'bab', true],
])('%s on %s: %s', (glob, text, isOne) => {
  expect(matchesGlob(glob, text)).toBe(isOne);
});

test('many wildcards cost no more than one', () => {
  const glob = `${'*a'.repeat(10_000)}b`;
  expect(matchesGlob(glob, 'a'.repeat(100_000))).toBe(false);
});
