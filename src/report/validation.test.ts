import { describe, expect, test } from 'vitest';
import { ROLL_UP, rollUp, type State } from './validation.ts';

const STATES: readonly State[] = ['Healthy', 'Progressing', 'Degraded', 'Missing', 'Failed'];

/** RFC 5.5 as it is written, one sentence after the other. */
function asWritten(states: readonly State[]): State {
  if (states.every((state) => state === 'Healthy')) return 'Healthy';
  if (states.some((state) => state === 'Failed')) return 'Failed';
  if (states.some((state) => state === 'Degraded' || state === 'Missing')) return 'Degraded';
  return 'Progressing';
}

/** Every mixture of states, the empty one included. */
const mixtures = Array.from({ length: 2 ** STATES.length }, (_, bits) =>
  STATES.filter((_state, at) => (bits >> at) & 1),
);

describe('members add up to the state of their stack, stacks to that of the platform', () => {
  test.each(mixtures.map((states) => [states.join(', ') || 'nothing', states] as const))(
    '%s',
    (_, states) => expect(rollUp(states)).toBe(asWritten(states)),
  );

  test('no line of the table could be left out', () => {
    for (const line of ROLL_UP) {
      const without = ROLL_UP.filter((one) => one !== line);
      const shorter = (states: readonly State[]) =>
        without.find(([among]) => states.includes(among))?.[1] ?? 'Healthy';
      expect(mixtures.some((states) => shorter(states) !== asWritten(states))).toBe(true);
    }
  });

  test('adding up twice gives the same as at once', () => {
    for (const a of mixtures) {
      for (const b of mixtures) expect(rollUp([rollUp(a), rollUp(b)])).toBe(rollUp([...a, ...b]));
    }
  });
});
