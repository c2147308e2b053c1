import { expect, test } from 'vitest';
import { projectHeld } from './hold-errors.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index + 1}`);

test.each([
  [1, 'n1'],
  [5, 'n1, n2, n3, n4, n5'],
  [6, 'n1, n2, n3, n4, n5 and 1 more'],
  [43, 'n1, n2, n3, n4, n5 and 38 more'],
])('of %d held names the first ones are told', (count, told) => {
  const hold = { platform: 'office', run: 'r9', names: names(count), intact: true };
  const { message } = projectHeld('p', hold);
  expect(message).toContain(`platform "office", run r9, holds ${told}.`);
});

test('a hold that says nothing of its platform is somebody’s', () => {
  const hold = { platform: undefined, run: undefined, names: ['a'], intact: false };
  expect(projectHeld('p', hold).message).toContain('somebody holds a.');
});
