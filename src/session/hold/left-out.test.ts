// Automated syncs that the run terminated: their Applications are put on hold when they have ended, also late, and at the end of the run.
import { beforeEach, describe, expect, test } from 'vitest';
import { RunHoldWorld } from '../../../test/fakes/run-hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { RunHold } from './run-hold.ts';
import type { RunHoldParts } from './run-hold-parts.ts';

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

async function prepared(part: Partial<RunHoldParts> = {}): Promise<RunHold> {
  const hold = world.holdOf(part);
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

describe('ended more than a minute after it was terminated', () => {
  test('it is put on hold then', async () => {
    world.operates('a');
    await prepared();
    await clock.advance(130_000);
    expect([world.terminated, world.held('p')]).toEqual([['a'], 'b']);
    world.operates('a', false);
    await clock.advance(5_000);
    expect(world.held('p')).toBe('a b');
  });

  test('who needs that waits until it is written', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(130_000);
    world.writeMs = 3_000;
    world.operates('a', false);
    await clock.until(hold.untilHeld(new Set(['a'])));
    expect(hold.heldNodes()).toContain('app:a');
  });

  test('handed over meanwhile it is not', async () => {
    world.operates('a');
    const hold = await prepared();
    await clock.advance(130_000);
    hold.handOver(world.node('a'));
    world.operates('a', false);
    await clock.advance(5_000);
    expect(world.held('p')).toBe('b');
  });

  test('at the end of the run it is, where the watch is late', async () => {
    world.operates('a');
    const last = world.argocd.view('a');
    const watch = { ...world.argocd.watch, last: () => last, subscribe: () => () => {} };
    const hold = await prepared({ watch });
    await clock.advance(130_000);
    world.operates('a', false);
    await clock.advance(5_000);
    expect(world.held('p')).not.toContain('a');
    await clock.until(hold.settle());
    expect(world.held('p')).toContain('a');
  });
});
