// An automated sync that the run terminated shortly before its end is put on hold when it has ended.
import { beforeEach, describe, expect, test } from 'vitest';
import { RunHoldWorld } from '../../../test/fakes/run-hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { RunHold } from './run-hold.ts';

let world: RunHoldWorld;
let clock: VirtualClock;

beforeEach(async () => {
  world = new RunHoldWorld();
  ({ clock } = world);
  await clock.advance(500_000);
});

/** Says when it has ended. */
function settling(hold: RunHold): { at: number | undefined } {
  const note: { at: number | undefined } = { at: undefined };
  const start = clock.monotonic();
  const end = () => {
    note.at = clock.monotonic() - start;
  };
  void hold.settle().then(end, end);
  return note;
}

async function prepared(): Promise<RunHold> {
  const hold = world.holdOf();
  await clock.until(hold.prepare());
  return hold;
}

describe('terminated right before the end of the run', () => {
  test('the end waits until it has ended, and it is held', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(60_000);
    expect([world.terminated, world.held('p')]).toEqual([['a'], 'b']);
    const settled = settling(hold);
    await clock.advance(5_000);
    expect(settled.at).toBeUndefined();
    world.operates('a', false);
    await clock.advance(5_000);
    expect([world.held('p'), settled.at !== undefined]).toEqual(['a b', true]);
    expect(world.events.some(({ type }) => type === 'run.warning')).toBe(false);
  });

  test('one that is terminated while the end waits for another is waited for, too', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(30_000);
    world.operates('b');
    await clock.advance(31_000);
    const settled = settling(hold);
    await clock.advance(34_000);
    expect(world.terminated).toEqual(['a', 'b']);
    world.operates('a', false);
    await clock.advance(5_000);
    expect(settled.at).toBeUndefined();
    world.operates('b', false);
    await clock.advance(5_000);
    expect([world.held('p'), settled.at !== undefined]).toEqual(['a b', true]);
    expect(world.events.some(({ type }) => type === 'run.warning')).toBe(false);
  });

  test('one that does not end delays the end by a minute at most', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(60_000);
    const settled = settling(hold);
    await clock.advance(61_000);
    expect([world.held('p'), settled.at !== undefined]).toEqual(['b', true]);
    expect(world.events.some(({ type }) => type === 'run.warning')).toBe(true);
  });

  test('another one that was terminated meanwhile delays it no longer', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(30_000);
    world.operates('b');
    await clock.advance(31_000);
    const settled = settling(hold);
    await clock.advance(50_000);
    world.operates('a', false);
    await clock.advance(11_000);
    expect([world.held('p'), world.terminated, settled.at]).toEqual(['a', ['a', 'b'], 60_000]);
    expect(world.events.filter(({ type }) => type === 'run.warning')).toEqual([
      { type: 'run.warning', message: expect.stringMatching(/^not on hold.*: "b"\./) },
    ]);
  });

  test('without the Lease it is not waited for: nothing could be held', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(60_000);
    const settled = settling(hold);
    await clock.advance(1_000);
    world.lost.abort(new Error('lost'));
    await clock.advance(0);
    expect(settled.at).toBe(1_000);
  });
});
