import { expect, test } from 'vitest';
import { projectHeld } from './hold-errors.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index + 1}`);

test.each([
  [1, 'n1'],
  [5, 'n1, n2, n3, n4, n5'],
  [6, 'n1, n2, n3, n4, n5 and 1 more'],
  [43, 'n1, n2, n3, n4, n5 and 38 more'],
])('of %d held names the first ones are told', (count, told) => {
  const hold = { platform: undefined, run: undefined, slot: 1, names: names(count), intact: false };
  const error = projectHeld('p', hold);
  expect(error.message).toContain(`a hold without an owner has ${told}.`);
  expect(error.diagnostics[0]?.hint).toContain('annotation tiphys.dev/hold-1 back');
});
