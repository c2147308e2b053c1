import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import { startDeadline } from './deadline.ts';

test('time is up after what there was at first, unless it was extended by then', async () => {
  const clock = new VirtualClock();
  const plain = startDeadline(clock, 5_000);
  const extended = startDeadline(clock, 5_000, undefined, Promise.resolve(30_000));
  let extend: (until: number) => void = () => {};
  const late = startDeadline(
    clock,
    5_000,
    undefined,
    new Promise((resolve) => {
      extend = resolve;
    }),
  );
  await clock.advance(5_000);
  expect([plain.passed(), extended.passed(), late.passed()]).toEqual([true, false, true]);
  extend(30_000);
  await clock.advance(24_999);
  expect([extended.signal.aborted, late.signal.aborted]).toEqual([false, true]);
  await clock.advance(1);
  expect([extended.passed(), extended.lasts()]).toEqual([true, 30_000]);
});
