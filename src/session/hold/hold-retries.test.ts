// A write of the hold that is not taken: sent again, less and less often, told once, and given up only where somebody waits.
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, apps, HoldWorld } from '../../../test/fakes/hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../abandoned.ts';

let world: HoldWorld;
let clock: VirtualClock;
let answers: (WriteResult | 'as usual')[];

beforeEach(() => {
  world = new HoldWorld();
  ({ clock } = world);
  answers = [];
});

const ERROR: WriteResult = { kind: 'unknown', message: 'HTTP 500' };

/** Gives these answers, then the last one of them for ever. */
const writer = () =>
  world.writerOf({
    projects: {
      get: world.projects.api.get,
      update: async (...change) => {
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'as usual';
        if (answer === 'as usual') return await world.update(...change);
        world.sent.push(clock.monotonic());
        return answer;
      },
    },
  });

describe('a write that is answered with an error', () => {
  test('is sent again at once, then less and less often', async () => {
    answers = [ERROR];
    writer().hold(apps('a'));
    await clock.advance(60_000);
    const seconds = world.sent.map((ms) => ms / 1_000);
    expect(seconds).toEqual([0, 1, 2, 4, 8, 16, 26, 36, 46, 56]);
  });

  test('is told once it has lasted, once for each answer', async () => {
    answers = [...Array.from({ length: 5 }, () => ERROR), { kind: 'unknown', message: 'HTTP 502' }];
    writer().hold(apps('a'));
    await clock.advance(3_999);
    expect(world.troubles).toEqual([]);
    await clock.advance(60_000);
    expect(world.troubles).toEqual(
      ['HTTP 500', 'HTTP 502'].map((answer) =>
        expect.stringMatching(
          `^PATCH of the AppProject "p": ${answer}; retrying since [0-9:]+ UTC$`,
        ),
      ),
    );
  });

  test('counts anew once it was taken', async () => {
    answers = [ERROR, ERROR, 'as usual'];
    const hold = writer();
    hold.hold(apps('a', 'b'));
    await clock.until(hold.flush());
    await clock.advance(600_000);
    answers = [ERROR, 'as usual'];
    hold.release(app('a'));
    await clock.until(hold.flush());
    expect([world.held(), world.troubles, world.losses]).toEqual([['b'], [], []]);
  });

  test('is not given up where nobody waits for it', async () => {
    answers = [ERROR];
    writer().hold(apps('a'));
    await clock.advance(1_000_000);
    expect(world.losses).toEqual([]);
    answers = ['as usual'];
    await clock.advance(10_000);
    expect(world.held()).toEqual(['a']);
  });

  test('is given up five minutes after somebody has begun to wait', async () => {
    answers = [ERROR];
    const hold = writer();
    hold.hold(apps('a'));
    await clock.advance(200_000);
    const error = await clock.until(failure(hold.flush()));
    expect(codeOf(error)).toBe('hold-not-written');
    expect(String(error)).toMatch(
      /PATCH of the AppProject "p" failed \d+ times in 8m\d+s; last answer: HTTP 500\./,
    );
    expect(clock.monotonic()).toBeGreaterThanOrEqual(500_000);
    expect(clock.monotonic()).toBeLessThanOrEqual(510_000);
    expect(world.losses).toEqual([error]);
  });

  test('is given up five minutes after the first one failed, where somebody waits for longer', async () => {
    const hold = writer();
    world.mayWrite = false;
    hold.hold(apps('a'));
    const error = failure(hold.flush());
    await clock.advance(15_000);
    world.mayWrite = true;
    answers = [ERROR];
    expect(codeOf(await clock.until(error))).toBe('hold-not-written');
    expect(clock.monotonic()).toBeGreaterThanOrEqual(315_000);
  });

  test('two who wait have the patience of the first', async () => {
    answers = [ERROR];
    const hold = writer();
    hold.hold(apps('a'));
    const both = [failure(hold.flush())];
    await clock.advance(290_000);
    both.push(failure(hold.flush()));
    expect((await clock.until(Promise.all(both))).map(codeOf)).toEqual([
      'hold-not-written',
      'hold-not-written',
    ]);
    expect(clock.monotonic()).toBeLessThanOrEqual(310_000);
  });

  test('is given up when the one that waits is told to stop, and tells of nothing more', async () => {
    answers = [ERROR];
    const hold = writer();
    hold.hold(apps('a'));
    const stop = new AbortController();
    const error = failure(hold.flush(stop.signal));
    await clock.advance(2_500);
    stop.abort();
    expect(await clock.until(error)).toBeInstanceOf(Abandoned);
    const { length } = world.sent;
    await clock.advance(60_000);
    expect([world.sent.length, world.troubles, clock.sleepers]).toEqual([length, [], 0]);
  });

  test('a signal that is given after its end stops nothing', async () => {
    const hold = writer();
    hold.hold(apps('a'));
    const stop = new AbortController();
    await clock.until(hold.flush(stop.signal));
    stop.abort();
    hold.hold(apps('b'));
    await clock.until(hold.flush());
    expect(world.held()).toEqual(['a', 'b']);
  });
});

describe('a Lease that does not outlast a write', () => {
  test('is asked every second, and 20 s without it end the hold', async () => {
    const asked: number[] = [];
    const hold = world.writerOf({
      mayWrite: () => {
        asked.push(clock.monotonic());
        return false;
      },
    });
    hold.hold(apps('a'));
    await clock.advance(3_500);
    expect(asked).toEqual([0, 1_000, 2_000, 3_000]);
    await clock.advance(60_000);
    expect([asked.length, world.losses.map(codeOf)]).toEqual([21, ['lease-lost']]);
  });

  test('that comes back counts anew', async () => {
    const hold = writer();
    for (const name of ['a', 'b']) {
      world.mayWrite = false;
      hold.hold(apps(name));
      await clock.advance(15_000);
      world.mayWrite = true;
      answers = [ERROR];
      await clock.advance(2_000);
    }
    expect(world.losses).toEqual([]);
  });
});
