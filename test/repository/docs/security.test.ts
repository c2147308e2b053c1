// Every row of the threat model names the test that shows what holds.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const HEAD = '| asset | attacker | path | what holds | test |';

function missingTests(text: string): string[] {
  const lines = text.split('\n');
  const from = lines.indexOf(HEAD);
  const rows = lines.slice(from + 2).filter((line) => line.startsWith('| '));
  if (from === -1 || rows.length === 0) return ['there is no table'];
  return rows.flatMap((row) => {
    const [, path = '', title = ''] = /\| `([^`]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
    if (title === '') return `no test is named: ${row}`;
    if (!existsSync(path)) return `there is no ${path}`;
    return titlesOf(path).some((one) => one.includes(title)) ? [] : `${path} has no "${title}"`;
  });
}

/** Titles of tests, and of the cases that they are made from: every text that the file quotes. */
function titlesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  );
}

test('of SECURITY.md, each is there', () => {
  expect(missingTests(readFileSync('SECURITY.md', 'utf8'))).toEqual([]);
});

const table = (cell: string) => `${HEAD}\n|---|---|---|---|---|\n| a | b | c | d | ${cell} |\n`;

test.each([
  ['a file that is not there', '`test/none.test.ts`: x', 'there is no test/none.test.ts'],
  ['a title that is not there', '`src/process.test.ts`: never heard of', 'has no "never heard of"'],
  ['no title', '`src/process.test.ts`', 'no test is named'],
  ['no test', 'see above', 'no test is named'],
])('planted: %s is found', (_, cell, what) => {
  expect(missingTests(table(cell)).join()).toContain(what);
});

test('planted: without a table there is nothing that holds', () => {
  expect(missingTests('# Security\n')).toEqual(['there is no table']);
});
