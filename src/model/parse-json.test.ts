import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([
  ['a value', '{"a": [1, "b", null]}'],
  ['500 levels', lists(500)],
  ['brackets in a text', JSON.stringify({ a: '['.repeat(1000), b: '{'.repeat(1000) })],
  ['quotes in a text', JSON.stringify({ a: '"[\\"['.repeat(600), '"[\\': '\\' })],
  ['many, one after the other', `[${'[[]],'.repeat(1000)}1]`],
])('as JSON.parse: %s', (_, text) => expect(parseJson(text)).toEqual(JSON.parse(text)));

test.each([
  ['lists', lists(501)],
  ['objects', objects(501)],
  ['lists of objects', `${'[{"a":'.repeat(251)}1${'}]'.repeat(251)}`],
  ['far too deep', lists(100_000)],
  ['behind a text', `["\\\\",${lists(500)}]`],
])('too deep: %s', (_, text) =>
  expect(() => parseJson(text)).toThrow(new SyntaxError('it is nested deeper than 500 levels')),
);

test.each(['', '{', '"', '"\\', ']]]]', '[1'])('no JSON: %j', (text) =>
  expect(() => parseJson(text)).toThrow(SyntaxError),
);

/** Where each costs as much as all before it, this takes longer than a test may last. */
test('quotes in a text cost no more than their number', () => {
  const value = ['['.repeat(501) + '"'.repeat(1_000_000)];
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});
