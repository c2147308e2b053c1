// The requests that renew and return a lease: one at a time, as often as needed, and told when they fail for too long.
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeLeases } from '../../../test/fakes/cluster.ts';
import { LEASE, LeaseWorld } from '../../../test/fakes/lease-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Leases } from '../../ports/lease-store.ts';

let world: LeaseWorld;
let clock: VirtualClock;
let leases: FakeLeases;

beforeEach(() => {
  world = new LeaseWorld();
  ({ clock, leases } = world);
});

/** Answers take so long; when each update was sent. */
function slow(ms: { get?: number; update?: number }): { api: Leases; sent: number[] } {
  const sent: number[] = [];
  const api: Leases = {
    ...leases.api,
    get: async (name) => {
      await clock.sleep(ms.get ?? 0);
      return await leases.api.get(name);
    },
    update: async (lease) => {
      sent.push(clock.monotonic());
      const result = await leases.api.update(lease);
      await clock.sleep(ms.update ?? 0);
      return result;
    },
  };
  return { api, sent };
}

describe('renewals', () => {
  test('come every 5 s, however long the answers take', async () => {
    const { api, sent } = slow({ update: 3_000 });
    await world.acquire({ leases: api });
    await clock.advance(21_000);
    expect(sent).toEqual([5_000, 10_000, 15_000, 20_000]);
  });

  test('that the API server needs long for are not sent twice', async () => {
    const { api, sent } = slow({ update: 9_000 });
    const { lease } = await world.acquire({ leases: api });
    await clock.advance(13_999);
    expect(sent).toEqual([5_000]);
    await clock.advance(1);
    expect(lease.mayWrite()).toBe(true);
  });

  test('that fail are trouble only once the lease has expired, and again after a renewal', async () => {
    await world.acquire();
    leases.down = new Error('restarting');
    await clock.advance(14_999);
    expect(world.troubles).toEqual([]);
    await clock.advance(2_000);
    expect(world.troubles).toEqual(['restarting']);
    leases.down = undefined;
    await clock.advance(2_000);
    leases.down = new Error('down again');
    await clock.advance(30_000);
    expect(world.troubles).toEqual(['restarting', 'down again']);
  });

  test('that are refused are told as they are answered', async () => {
    await world.acquire();
    const refused = { kind: 'refused', reason: 'forbidden', message: 'no right' } as const;
    for (let times = 0; times < 30; times++) leases.faults.push({ result: refused });
    await clock.advance(17_000);
    expect([world.troubles, world.losses]).toEqual([['no right'], []]);
  });

  test('that meet those of others all the time are told as that', async () => {
    await world.acquire();
    for (let times = 0; times < 60; times++) leases.faults.push({ before: () => world.rewrite() });
    await clock.advance(17_000);
    expect(world.troubles).toEqual(['other processes write it at the same time']);
  });

  test('that find it taken over, two at once, lose it once', async () => {
    const api = { ...leases.api };
    await world.acquire({ leases: api });
    api.get = slow({ get: 12_000 }).api.get;
    await clock.advance(14_000);
    world.rewrite({ holder: 'ci/2' });
    await clock.advance(60_000);
    expect([world.losses.length, world.troubles.length]).toEqual([1, 1]);
    expect(leases.peek(LEASE)?.holder).toBe('ci/2');
  });
});

describe('giving it back', () => {
  test('takes one request, and is no loss', async () => {
    const { lease } = await world.acquire();
    const { reads } = leases;
    await lease.release({ finished: true });
    expect([leases.writes, leases.reads - reads, world.losses]).toEqual([2, 1, []]);
    await lease.release({ finished: false });
    expect([leases.writes, leases.reads - reads]).toEqual([2, 1]);
  });

  test('is tried three times', async () => {
    const { lease } = await world.acquire();
    const { writes } = leases;
    leases.faults.push(...Array.from({ length: 9 }, () => ({ result: 'lost-request' as const })));
    await lease.release({ finished: true });
    expect([leases.writes - writes, leases.peek(LEASE)?.holder]).toEqual([3, 'laptop/1']);
  });

  test('reads nothing where it is lost already', async () => {
    const { lease } = await world.acquire();
    world.rewrite({ holder: 'ci/2' });
    await clock.advance(5_000);
    const { reads } = leases;
    await lease.release({ finished: true });
    expect([leases.reads, world.losses.length]).toEqual([reads, 1]);
  });

  test('waits for nothing where all writes are answered', async () => {
    const { lease } = await world.acquire();
    await lease.send(async () => undefined);
    await lease.release({ finished: true });
    expect([clock.monotonic(), leases.peek(LEASE)?.holder]).toEqual([0, '']);
    expect(clock.sleepers).toBe(0);
  });
});
