// How fast the time of a rehearsal passes, seen from outside.
import { InvalidArgumentError, Option } from 'commander';
import type { Clock } from '../../ports/clock.ts';
import type { VirtualTime } from '../../simulator/virtual-time.ts';

/** So many seconds in one, or as fast as it can. */
export type Speed = number | 'max';

export const SPEED = new Option(
  '--speed <speed>',
  '1x, 60x, max (default: about ten seconds in all on a terminal, else max)',
).argParser((text): Speed => {
  if (text === 'max') return text;
  const [, number] = /^(\d{1,5}(?:\.\d{1,2})?)x$/.exec(text) ?? [];
  if (!Number(number)) throw new InvalidArgumentError('Write 1x, 60x or max.');
  return Number(number);
});

/** Between two looks at the real clock. */
const TICK_MS = 20;

interface Passing {
  readonly speed: Speed;
  /** Of the world outside. */
  readonly clock: Clock;
  /** From then on as fast as it can: nobody watches any more. */
  readonly hurry?: AbortSignal;
}

/** Lets time pass until it ends. In small steps, so that whoever acts from outside is not kept waiting. */
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
