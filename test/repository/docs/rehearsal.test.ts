// docs/rehearsal.md shows the table of faults as it is. `npx vitest run test/repository/docs -u` writes it anew.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS, NOT_REHEARSED } from '../../../src/rehearsal/fault-table.ts';
import { exampleOf, formOf } from '../../../src/rehearsal/render-fault.ts';

const FILE = 'docs/rehearsal.md';

function tables(): string {
  const rows = FAULTS.map((kind) => {
    const classes = kind.classes.join(', ') || '-';
    return `| \`${formOf(kind)}\` | ${classes} | ${kind.meaning} | \`${exampleOf(kind)}\` |`;
  });
  const left = NOT_REHEARSED.map(([classes, why]) => `- ${classes}: ${why}`);
  return [
    '| fault | class | what happens | for example, or by default |',
    '|---|---|---|---|',
    ...rows,
    '',
    'Not rehearsed, though in the catalogue:',
    '',
    ...left,
    '',
  ].join('\n');
}

test('the tables of docs/rehearsal.md are those of the program', async () => {
  const text = readFileSync(FILE, 'utf8');
  const begin = text.indexOf('| fault |');
  const end = text.indexOf('\n## Serve the simulated cluster');
  expect(begin).toBeGreaterThan(0);
  await expect(text.slice(0, begin) + tables() + text.slice(end)).toMatchFileSnapshot(
    resolve(FILE),
  );
});
