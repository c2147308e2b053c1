import { expect, test } from 'vitest';
import { renderAge, renderInstant } from './age-text.ts';

test.each([
  [null, '-'],
  [-5, '0s ago'],
  [0, '0s ago'],
  [119, '119s ago'],
  [120, '2m ago'],
  [7_199, '119m ago'],
  [7_200, '2h ago'],
  [172_799, '47h ago'],
  [172_800, '2d ago'],
  [27_560_252, '318d ago'],
])('%j seconds: %s', (seconds, text) => {
  expect(renderAge(seconds)).toBe(text);
});

test('a time of a record is to the second', () => {
  expect(renderInstant('2026-11-15T07:42:00.123Z')).toBe('2026-11-15T07:42:00Z');
  expect(renderInstant('now')).toBe('now');
});
