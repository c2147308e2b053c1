import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeLeases } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { LEASE, LeaseWorld } from '../../../test/fakes/lease-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { TiphysError } from '../../errors.ts';
import { runOf } from './lease-data.ts';

let world: LeaseWorld;
let clock: VirtualClock;
let leases: FakeLeases;
let losses: TiphysError[];

beforeEach(() => {
  world = new LeaseWorld();
  ({ clock, leases, losses } = world);
});

describe('keeping it', () => {
  test('renewed every 5 s, and never short of 10 s', async () => {
    const { lease } = await world.acquire();
    for (let second = 0; second < 60; second++) {
      await clock.advance(1_000);
      expect(lease.mayWrite(9_900)).toBe(true);
    }
    expect(leases.writes).toBe(1 + 12);
    expect(losses).toEqual([]);
  });

  test('a write must end before the lease does', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(9_999);
    expect(lease.mayWrite(5_000)).toBe(true);
    await clock.advance(1);
    expect(lease.mayWrite(5_000)).toBe(false);
    expect(lease.mayWrite(4_999)).toBe(true);
  });

  test('it counts from when the request was sent', async () => {
    const slow: typeof leases.api = {
      ...leases.api,
      update: async (lease) => {
        const result = await leases.api.update(lease);
        await clock.sleep(4_000);
        return result;
      },
    };
    const { lease } = await world.acquire({ leases: slow });
    await clock.advance(9_000);
    // Sent at 5 s, answered at 9 s: valid until 20 s.
    leases.down = new Error('restarting');
    await clock.advance(5_999);
    expect(lease.mayWrite()).toBe(true);
    await clock.advance(1);
    expect(lease.mayWrite()).toBe(false);
  });

  test('errors are borne: nothing is written once it has expired, and it is renewed when they end', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(16_000);
    expect(lease.mayWrite()).toBe(false);
    expect(world.troubles).toEqual(['restarting']);
    await clock.advance(60_000);
    expect([lease.mayWrite(), losses, world.troubles.length]).toEqual([false, [], 1]);
    leases.down = undefined;
    await clock.advance(2_000);
    expect(lease.mayWrite()).toBe(true);
    expect(losses).toEqual([]);
  });

  test('not where somebody took it while it could not be renewed', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(30_000);
    leases.down = undefined;
    world.rewrite({ holder: 'ci/2' });
    await clock.advance(2_000);
    expect(losses.map(codeOf)).toEqual(['lease-lost']);
    expect(losses[0]).toMatchObject({ exitStatus: 2 });
    expect(lease.mayWrite()).toBe(false);
  });

  test('an API server that restarts within 10 s costs nothing', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(13_500);
    leases.down = undefined;
    await clock.advance(1_000);
    expect(lease.mayWrite()).toBe(true);
    expect(losses).toEqual([]);
  });

  test('a request that is never answered', async () => {
    const silent = { ...leases.api, get: leases.api.get };
    const { lease } = await world.acquire({ leases: silent });
    silent.get = () => new Promise(() => undefined);
    await clock.advance(14_999);
    expect(world.troubles).toEqual([]);
    await clock.advance(1);
    expect([lease.mayWrite(), world.troubles]).toEqual([false, ['no answer']]);
    silent.get = leases.api.get;
    await clock.advance(6_000);
    expect([lease.mayWrite(), losses]).toEqual([true, []]);
  });

  test('taken over: lost at the next renewal', async () => {
    const { lease } = await world.acquire();
    world.rewrite({ holder: 'ci/2' });
    await clock.advance(5_000);
    expect(losses.map(codeOf)).toEqual(['lease-lost']);
    expect(lease.mayWrite()).toBe(false);
    expect(leases.peek(LEASE)?.holder).toBe('ci/2');
  });

  test('taken over between its read and its write', async () => {
    await world.acquire();
    leases.faults.push({ before: () => world.rewrite({ holder: 'ci/2' }) });
    await clock.advance(5_000);
    expect(String(losses[0])).toMatch(/"ci\/2" took it over/);
    expect(leases.peek(LEASE)?.holder).toBe('ci/2');
  });

  test('a conflict that leaves it ours is none', async () => {
    const { lease } = await world.acquire();
    leases.faults.push({ before: () => world.rewrite() });
    await clock.advance(5_000);
    expect(lease.mayWrite(14_999)).toBe(true);
  });

  test('who is too late for long, since other processes of its run renew it, has it again when it is not', async () => {
    const { lease } = await world.acquire();
    for (let times = 0; times < 40; times++) leases.faults.push({ before: () => world.rewrite() });
    await clock.advance(18_000);
    expect([lease.mayWrite(), losses]).toEqual([false, []]);
    await clock.advance(12_000);
    expect([lease.mayWrite(), losses]).toEqual([true, []]);
  });

  test('deleted: somebody else may have it any moment', async () => {
    await world.acquire();
    leases.delete(LEASE);
    await clock.advance(5_000);
    expect(losses.map(codeOf)).toEqual(['lease-lost']);
  });

  test.each(['lost-request', 'lost-reply'] as const)('a renewal with a %s', async (result) => {
    const { lease } = await world.acquire();
    leases.faults.push({ result });
    await clock.advance(6_000);
    expect(lease.mayWrite(14_999)).toBe(true);
  });
});

describe('pauses and jumps', () => {
  test('after a pause longer than the lease writes are paused until it is renewed', async () => {
    const { lease } = await world.acquire();
    clock.pause(3_600_000);
    expect(lease.mayWrite()).toBe(false);
    await clock.advance(0);
    expect(lease.mayWrite()).toBe(true);
    expect(losses).toEqual([]);
  });

  test('also where the answer takes a moment', async () => {
    const slow = { ...leases.api };
    const { lease } = await world.acquire({ leases: slow });
    slow.get = async (name) => {
      await clock.sleep(3_000);
      return leases.api.get(name);
    };
    clock.pause(3_600_000);
    await clock.advance(2_999);
    expect([lease.mayWrite(), losses]).toEqual([false, []]);
    await clock.advance(1);
    expect(lease.mayWrite()).toBe(true);
  });

  test('taken over meanwhile: lost before the first write', async () => {
    const { lease } = await world.acquire();
    clock.pause(3_600_000);
    world.rewrite({ holder: 'ci/2' });
    expect(lease.mayWrite()).toBe(false);
    const error = await clock.until(failure(lease.awaitWritePermit()));
    expect(codeOf(error)).toBe('lease-lost');
    expect(losses).toHaveLength(1);
  });

  test('a machine that slept, where the monotonic clock stood still', async () => {
    const { lease } = await world.acquire();
    clock.jump(7_200_000);
    expect(lease.mayWrite()).toBe(false);
    await clock.until(lease.awaitWritePermit());
    expect(lease.mayWrite()).toBe(true);
    expect(clock.monotonic()).toBe(0);
  });

  test('a clock that is set back changes nothing', async () => {
    const { lease } = await world.acquire();
    clock.jump(-3_600_000);
    leases.down = new Error('restarting');
    await clock.advance(10_000);
    expect(lease.mayWrite()).toBe(false);
  });

  test('one waits for permission until it is renewed', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(12_000);
    const permit = lease.awaitWritePermit();
    await clock.advance(30_000);
    leases.down = undefined;
    await clock.until(permit);
    expect(lease.mayWrite()).toBe(true);
  });

  test('or until it is lost', async () => {
    const { lease } = await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(12_000);
    const permit = failure(lease.awaitWritePermit());
    leases.down = undefined;
    world.rewrite({ holder: 'ci/2' });
    expect(codeOf(await clock.until(permit))).toBe('lease-lost');
  });
});

describe('giving it back', () => {
  test('says whether the run finished, and renews no more', async () => {
    const { lease } = await world.acquire();
    await lease.release({ finished: true });
    expect(lease.mayWrite()).toBe(false);
    await clock.advance(60_000);
    expect(leases.writes).toBe(2);
    const now = leases.peek(LEASE);
    expect(now).toMatchObject({ holder: '' });
    expect(now && runOf(now)).toEqual({ run: 'r1', plan: 'sha256:1', finished: true });
    expect(clock.sleepers).toBe(0);
  });

  test('only when what was sent is answered or given up', async () => {
    const { lease } = await world.acquire();
    let answer = () => {};
    const slow = lease.send(
      () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    );
    const released = lease.release({ finished: true });
    await clock.advance(4_000);
    expect(leases.peek(LEASE)?.holder).not.toBe('');
    answer();
    await Promise.all([slow, released]);
    expect(leases.peek(LEASE)?.holder).toBe('');
  });

  test('after the time that a write can take, whether it was answered or not', async () => {
    const { lease } = await world.acquire();
    void lease.send(() => new Promise(() => {}));
    const released = lease.release({ finished: true });
    await clock.advance(4_900);
    expect(leases.peek(LEASE)?.holder).not.toBe('');
    await clock.until(released);
    expect(leases.peek(LEASE)?.holder).toBe('');
  });

  test('never that of another one', async () => {
    const { lease } = await world.acquire();
    world.rewrite({ holder: 'ci/2' });
    await lease.release({ finished: true });
    expect(leases.peek(LEASE)?.holder).toBe('ci/2');
  });

  test('also where a request gets lost or somebody writes meanwhile', async () => {
    const { lease } = await world.acquire();
    leases.faults.push({ result: 'lost-request' }, { before: () => world.rewrite() });
    await lease.release({ finished: true });
    expect(leases.peek(LEASE)?.holder).toBe('');
  });
});
