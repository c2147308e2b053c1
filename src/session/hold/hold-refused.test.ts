// Kubernetes refuses a read or a write of an AppProject: for a moment, or for good.
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, apps, HoldWorld } from '../../../test/fakes/hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import type { RefusalReason, WriteResult } from '../../ports/write-result.ts';

let world: HoldWorld;
let clock: VirtualClock;
/** What the next reads and writes are answered with. */
let reads: TiphysError[];
let writes: WriteResult[];

beforeEach(() => {
  world = new HoldWorld();
  ({ clock } = world);
  reads = [];
  writes = [];
});

const writer = () =>
  world.writerOf({
    projects: {
      get: (name) => {
        const error = reads.shift();
        return error ? Promise.reject(error) : world.projects.api.get(name);
      },
      update: async (...change) => {
        const answer = writes.shift();
        if (!answer) return await world.update(...change);
        world.sent.push(clock.monotonic());
        return answer;
      },
    },
  });

const started = async (...names: string[]) => {
  const hold = writer();
  hold.hold(apps(...names));
  await clock.until(hold.flush());
  return hold;
};

const refused = (reason: RefusalReason, message = 'no'): WriteResult => ({
  kind: 'refused',
  reason,
  message,
});
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const forbidden = () => new TiphysError([{ code: 'cluster-forbidden', message: 'cannot get.' }]);

describe('for a moment', () => {
  test.each(['forbidden', 'unauthenticated', 'invalid'] as const)(
    'a write as %s is sent again, and told once it lasts',
    async (reason) => {
      const hold = await started('a', 'b');
      writes = times(5, refused(reason));
      hold.release(app('a'));
      await clock.until(hold.flush());
      expect([world.held(), world.losses]).toEqual([['b'], []]);
      expect(world.troubles).toEqual([
        expect.stringMatching(/AppProject "p".*: no; retrying since [0-9:]+ UTC$/),
      ]);
    },
  );

  test('one after the other, less and less often', async () => {
    writes = times(6, refused('forbidden'));
    await started('a');
    expect(world.sent.map((ms) => ms / 1_000)).toEqual([0, 1, 3, 7, 15, 25, 35]);
  });

  test('a single one is not worth a word', async () => {
    writes = [refused('forbidden')];
    await started('a');
    expect([world.held(), world.troubles, world.losses]).toEqual([['a'], [], []]);
  });

  test('a read before a write is tried again', async () => {
    const hold = await started('a', 'b');
    reads = times(5, forbidden());
    hold.release(app('a'));
    await clock.until(hold.flush());
    expect([world.held(), world.losses]).toEqual([['b'], []]);
    expect(world.troubles).toHaveLength(1);
  });

  test('a look is tried again, and tells what it finds then', async () => {
    const hold = await started('a', 'b');
    hold.relyOnWatch();
    reads = times(5, forbidden());
    const checked = hold.check();
    await clock.advance(500);
    expect(world.losses).toEqual([]);
    world.edit({ windows: [] });
    await clock.until(checked);
    expect(world.losses.map(codeOf)).toEqual(['hold-lost']);
  });

  test('an error between two of them begins the time anew', async () => {
    const hold = await started('a', 'b');
    const error: WriteResult = { kind: 'unknown', message: 'HTTP 500' };
    writes = [...times(13, refused('forbidden')), error, ...times(13, refused('forbidden'))];
    hold.release(app('a'));
    await clock.until(hold.flush());
    expect([world.held(), world.losses]).toEqual([['b'], []]);
  });
});

describe('a look at a hold', () => {
  test('that is refused keeps those waiting who want to write, until it is known', async () => {
    const hold = await started('a', 'b');
    hold.relyOnWatch();
    reads = times(3, forbidden());
    const checked = hold.check();
    await clock.advance(10);
    let isKnown = false;
    const known = hold.known().then(() => {
      isKnown = true;
    });
    await clock.advance(2_000);
    expect(isKnown).toBe(false);
    await clock.until(Promise.all([checked, known]));
    expect([isKnown, world.losses]).toEqual([true, []]);
  });

  test('that shows in the end that it is gone ends those who wait for it', async () => {
    const hold = await started('a', 'b');
    hold.relyOnWatch();
    reads = times(3, forbidden());
    const checked = hold.check();
    await clock.advance(10);
    const known = failure(hold.known());
    world.edit({ windows: [] });
    await clock.until(checked);
    expect(codeOf(await clock.until(known))).toBe('hold-lost');
  });

  test('that was not refused keeps nobody waiting', async () => {
    const hold = await started('a', 'b');
    await clock.until(hold.check());
    const before = clock.monotonic();
    await hold.known();
    expect(clock.monotonic()).toBe(before);
  });
});

test('one error of the network after a minute of refusals does not end the hold', async () => {
  const hold = await started('a', 'b');
  const down = new TiphysError([{ code: 'cluster-unreachable', message: 'no answer.' }]);
  reads = [...times(22, forbidden()), down];
  hold.release(app('a'));
  await clock.until(hold.flush());
  expect([world.held(), world.losses]).toEqual([['b'], []]);
});

describe('for good', () => {
  test.each([
    ['forbidden', 'cluster-forbidden', 3],
    ['unauthenticated', 'cluster-unauthorized', 1],
    ['invalid', 'hold-not-written', 1],
  ] as const)('a write as %s ends the hold after two minutes', async (reason, code, exitStatus) => {
    const hold = await started('a', 'b');
    writes = times(100, refused(reason));
    hold.release(app('a'));
    const error = await clock.until(failure(hold.flush()));
    expect(codeOf(error)).toBe(code);
    expect(error).toMatchObject({ exitStatus });
    expect(String(error)).toMatch(/: no\. Kubernetes refused it \d+ times in 2m\d*s?\./);
    expect(world.losses).toEqual([error]);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(120_000);
    expect(clock.monotonic()).toBeLessThan(135_000);
    const { length } = world.sent;
    await clock.advance(60_000);
    expect([world.sent.length, clock.sleepers]).toEqual([length, 0]);
  });

  test('also where nobody waits for it, and where others come first time and again', async () => {
    const hold = await started('a', 'b');
    writes = times(100, refused('forbidden'));
    const begin = clock.monotonic();
    hold.release(app('a'));
    hold.pauseWrites();
    await clock.advance(180_000 - begin);
    expect(world.losses.map(codeOf)).toEqual(['cluster-forbidden']);
  });

  test('a look ends it as well', async () => {
    const hold = await started('a');
    reads = times(100, forbidden());
    await clock.until(hold.check());
    expect(world.losses.map(codeOf)).toEqual(['cluster-forbidden']);
  });

  test('before the first write it counts at once', async () => {
    reads = [forbidden()];
    expect(codeOf(await failure(writer().survey(apps('a'))))).toBe('cluster-forbidden');
    expect(clock.monotonic()).toBe(0);
  });

  test('a hold that is stopped meanwhile sends nothing more', async () => {
    const hold = await started('a', 'b');
    writes = times(100, refused('forbidden'));
    hold.release(app('a'));
    await clock.advance(5_000);
    hold.stop();
    const { length } = world.sent;
    await clock.advance(300_000);
    expect([world.sent.length, world.losses, clock.sleepers]).toEqual([length, [], 0]);
  });
});
