// docs/teardown.md explains what an inventory can say, and nothing else.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REFUSALS, WARNINGS } from '../../../src/inventory/inventory.ts';

const text = readFileSync('docs/teardown.md', 'utf8');

test.each([
  ['refused', REFUSALS],
  ['warning', WARNINGS],
])('the codes of `%s` are those of the program', (word, codes) => {
  const [, after = ''] = text.split(`with \`${word}\``);
  const [table = ''] = after.split(/\n\n(?=[^|])/).filter((part) => part.includes('| code |'));
  const explained = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(explained).toEqual(codes);
});
