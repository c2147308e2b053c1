import { expect, test } from 'vitest';
import type { Change, ObjectDiff } from '../../report/platform-diff.ts';
import { patchOf } from './object-patch.ts';

const patch = (live?: object, predicted?: object, change: Change = 'changed') =>
  patchOf({ change, live, predicted } as ObjectDiff);

test('keys are in one order, so that only what differs shows', () => {
  expect(patch({ b: 1, a: { d: 1, c: 2 } }, { a: { c: 2, d: 1 }, b: 1 })).toEqual([]);
  expect(patch({ b: 1, a: 2 }, { a: 3, b: 1 })).toEqual([
    ...['@@ -1,2 +1,2 @@', '-a: 2', '+a: 3', ' b: 1'],
  ]);
});

test('what is added and what is pruned is shown whole, what stays is not', () => {
  expect(patch(undefined, { a: 1 }, 'added')).toEqual(['@@ -0,0 +1,1 @@', '+a: 1']);
  expect(patch({ a: 1 }, undefined, 'pruned')).toEqual(['@@ -1,1 +0,0 @@', '-a: 1']);
  expect(patch({ a: 1 }, undefined, 'kept')).toEqual([]);
});

test('a password in an address is hidden, and its change still shows', () => {
  expect(patch({ u: 'git://me:one@h/x' }, { u: 'git://me:two@h/x' })).toEqual([
    ...['@@ -1,1 +1,1 @@', '-u: git://***@h/x', '+u: git://***@h/x'],
  ]);
});

test('each line begins with a mark, whatever the keys are', () => {
  const lines = patch(
    { 'web: changed': 1, '-- x': 1 },
    { '@@ -1': 'a\nweb: changed\n', '++ y': 2 },
  );
  for (const line of lines) expect(line).toMatch(/^(?:[ +-]|@@ -\d+,\d+ \+\d+,\d+ @@$)/);
});

test('an object that differs in too much is shown as replaced', () => {
  const many = (word: string) =>
    Object.fromEntries([...Array(800).keys()].map((at) => [`k${at}`, word]));
  const lines = patch({ ...many('a'), z: 1 }, { ...many('b'), z: 1 });
  expect(lines[0]).toBe('@@ -1,801 +1,801 @@');
  expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(801);
  expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(801);
});
