// How fast the simulated time of a rehearsal passes.
import { InvalidArgumentError, Option } from 'commander';
import type { Clock } from '../../ports/clock.ts';
import type { VirtualTime } from '../../simulator/virtual-time.ts';

/** So many seconds in one, or as fast as it can. */
export type Speed = number | 'max';

export const SPEED = new Option(
  '--speed <speed>',
  'speed of simulated time: 1x, 60x or max (default: about ten seconds in total on a terminal, else max)',
).argParser((text): Speed => {
  if (text === 'max') return text;
  const [, number] = /^(\d{1,5}(?:\.\d{1,2})?)x$/.exec(text) ?? [];
  if (!Number(number)) throw new InvalidArgumentError('Use 1x, 60x or max.');
  return Number(number);
});

/** Between two looks at the real clock. */
const TICK_MS = 20;

interface Passing {
  readonly speed: Speed;
  /** Of the world outside. */
  readonly clock: Clock;
  /** From then on as fast as possible: the user has stopped watching. */
  readonly hurry?: AbortSignal;
}

/** Lets time pass until the promise settles. In small steps, so that outside clients are answered promptly. */
export async function passTime<T>(
  time: VirtualTime,
  promise: Promise<T>,
  { speed, clock, hurry }: Passing,
): Promise<T> {
  if (speed === 'max') return await time.until(promise);
  const ended = new AbortController();
  const end = () => ended.abort();
  promise.then(end, end);
  const awake = hurry ? AbortSignal.any([ended.signal, hurry]) : ended.signal;
  const [began, from] = [clock.monotonic(), time.now];
  while (!awake.aborted) {
    const due = from + (clock.monotonic() - began) * speed;
    await time.advance(Math.max(0, due - time.now));
    await clock.sleep(TICK_MS, awake);
  }
  return await time.until(promise);
}
