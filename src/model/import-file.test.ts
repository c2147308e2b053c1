import { expect, test } from 'vitest';
import { TiphysError } from '../errors.ts';
import { parseImportFile } from './import-file.ts';

const HEAD = 'apiVersion: tiphys.dev/v1alpha1\nkind: ImportDecisions\n';
const parse = (text: string) => parseImportFile({ file: 'import.yaml', text: HEAD + text });

function wrong(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof TiphysError)
      return error.diagnostics.map(({ code, line, column }) => `${line}:${column} ${code}`);
    throw error;
  }
  return [];
}

test('an entry without evidence is about all of it', () => {
  expect(parse('accepted: [{dependent: a, dependency: b}]\n')).toEqual({
    accepted: [{ dependent: 'a', dependency: 'b', evidence: '*' }],
    rejected: [],
  });
  expect(parse('rejected: [{dependent: a, dependency: b, evidence: dns, reason: no}]\n')).toEqual({
    accepted: [],
    rejected: [{ dependent: 'a', dependency: 'b', evidence: 'dns', reason: 'no' }],
  });
});

test('everything wrong is said at once, with its place', () => {
  const text = `accepted:
  - {dependent: a}
  - {dependent: A b, dependency: c, evidence: 'D N S'}
  - {dependent: a, dependency: b, because: x}
`;
  expect(wrong(text)).toEqual([
    '4:5 key-missing',
    '5:17 name-invalid',
    '5:48 value-unexpected',
    '6:35 key-unknown',
  ]);
});

test.each([
  ['dns', 'dns', ['4:12 decision-conflict']],
  ['dns', '*', ['4:12 decision-conflict']],
  ['*', 'dns', ['4:12 decision-conflict']],
  ['dns', 'secret', []],
])('accepted for %s and rejected for %s', (accepted, rejected, expected) => {
  const pair = (kind: string) => `[{dependent: a, dependency: b, evidence: '${kind}'}]`;
  expect(wrong(`accepted: ${pair(accepted)}\nrejected: ${pair(rejected)}\n`)).toEqual(expected);
});

test('nothing depends on itself', () => {
  expect(wrong('rejected: [{dependent: a, dependency: a}]\n')).toEqual(['3:39 reference-self']);
});
