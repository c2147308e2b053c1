import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeLeases } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { LEASE, LeaseWorld } from '../../../test/fakes/lease-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { acquireLease } from './acquire-lease.ts';
import type { Lease } from './lease.ts';
import { runOf } from './lease-data.ts';

let world: LeaseWorld;
let clock: VirtualClock;
let leases: FakeLeases;

beforeEach(() => {
  world = new LeaseWorld();
  ({ clock, leases } = world);
});

describe('getting it', () => {
  test('at once where there is none', async () => {
    expect(await world.acquire()).toMatchObject({ run: 'r1', resumed: false, previous: undefined });
    expect(clock.monotonic()).toBe(0);
    expect(leases.peek(LEASE)).toMatchObject({
      holder: 'laptop/1',
      durationSeconds: 15,
      transitions: 0,
      renewTime: new Date(clock.now()).toISOString(),
    });
  });

  test('at once where it was given back', async () => {
    const { lease } = await world.acquire();
    await lease.release({ finished: true });
    const second = await world.acquire({ run: 'r2', holder: 'ci/2' });
    const previous = { run: 'r1', plan: 'sha256:1', finished: true };
    expect(second).toMatchObject({ run: 'r2', resumed: false, previous });
    expect(clock.monotonic()).toBe(0);
    expect(leases.peek(LEASE)).toMatchObject({ holder: 'ci/2', transitions: 1 });
  });

  test('not while its holder renews it; the refusal names holder and run', async () => {
    await world.acquire();
    const error = await clock.until(
      failure(acquireLease(world.request({ run: 'r2', holder: 'ci/2' }))),
    );
    expect(error).toMatchObject({ exitStatus: 1 });
    expect(codeOf(error)).toBe('run-already-active');
    expect(String(error)).toMatch(/Run r1 .*"laptop\/1"/);
    expect(clock.monotonic()).toBeLessThanOrEqual(6_000);
    expect(leases.peek(LEASE)?.holder).toBe('laptop/1');
  });

  test('a single renewal at the last moment is enough', async () => {
    const { lease } = await world.acquire();
    await world.kill(lease);
    const second = failure(acquireLease(world.request({ holder: 'ci/2' })));
    await clock.advance(19_500);
    world.rewrite();
    expect(codeOf(await clock.until(second))).toBe('run-already-active');
  });

  test('a renewal between the last look and the takeover is found by the versions', async () => {
    const { lease } = await world.acquire();
    await world.kill(lease);
    let renewed = false;
    const get: typeof leases.api.get = async (name) => {
      const seen = await leases.api.get(name);
      if (clock.monotonic() === 20_000 && !renewed) world.rewrite();
      renewed ||= clock.monotonic() === 20_000;
      return seen;
    };
    const second = acquireLease(world.request({ holder: 'ci/2', leases: { ...leases.api, get } }));
    await clock.advance(20_000);
    expect([renewed, leases.peek(LEASE)?.holder]).toEqual([true, 'laptop/1']);
    // It counts from there on again.
    await clock.until(second);
    expect(clock.monotonic()).toBe(41_000);
  });

  test('after the death of its holder 20 s later, and not before', async () => {
    const { lease } = await world.acquire();
    await world.kill(lease);
    const second = acquireLease(world.request({ run: 'r2', holder: 'ci/2' }));
    await clock.advance(19_999);
    expect(leases.peek(LEASE)?.holder).toBe('laptop/1');
    await clock.advance(1);
    expect(leases.peek(LEASE)?.holder).toBe('ci/2');
    expect((await second).lease.mayWrite()).toBe(true);
  });

  test('it waits as long as the holder said that its lease lasts', async () => {
    const { lease } = await world.acquire();
    await world.kill(lease);
    world.rewrite({ durationSeconds: 30 });
    await world.acquire({ holder: 'ci/2' });
    expect(clock.monotonic()).toBe(35_000);
  });

  test('while one waits it is given back, or deleted', async () => {
    for (const end of [(lease: Lease) => lease.release({ finished: true }), world.kill]) {
      const { lease } = await world.acquire();
      const second = acquireLease(world.request({ holder: 'ci/2' }));
      await clock.advance(500);
      await end(lease);
      if (end === world.kill) leases.delete(LEASE);
      await clock.advance(500);
      expect(leases.peek(LEASE)?.holder).toBe('ci/2');
      await (await second).lease.release({ finished: true });
    }
  });

  test('two contenders: one gets it, the other is refused', async () => {
    const { lease } = await world.acquire();
    await world.kill(lease);
    const both = ['ci/2', 'ci/3'].map((holder) => failure(acquireLease(world.request({ holder }))));
    const errors = await clock.until(Promise.all(both));
    expect(errors.map(codeOf).sort()).toEqual(['run-already-active', undefined]);
    const winner = errors[0] === undefined ? 'ci/2' : 'ci/3';
    expect(leases.peek(LEASE)?.holder).toBe(winner);
  });

  test('two contenders where there is none', async () => {
    const both = ['ci/2', 'ci/3'].map((holder) => failure(acquireLease(world.request({ holder }))));
    const errors = await clock.until(Promise.all(both));
    expect(errors.map(codeOf)).toEqual([undefined, 'run-already-active']);
  });

  test.each(['lost-request', 'lost-reply'] as const)('the first request: %s', async (result) => {
    leases.faults.push({ result });
    expect(await world.acquire()).toMatchObject({ run: 'r1', resumed: false, previous: undefined });
    expect(leases.peek(LEASE)?.holder).toBe('laptop/1');
    expect(clock.monotonic()).toBe(1_000);
  });

  test('without the right to write it', async () => {
    leases.faults.push({ result: { kind: 'refused', reason: 'forbidden', message: 'no' } });
    const error = await failure(world.acquire());
    expect(codeOf(error)).toBe('cluster-forbidden');
  });

  test('given up by the user while waiting', async () => {
    await world.acquire();
    const giveUp = new AbortController();
    const second = failure(acquireLease(world.request({ holder: 'ci/2', signal: giveUp.signal })));
    await clock.advance(500);
    giveUp.abort();
    expect(codeOf(await second)).toBe('interrupted');
  });
});

describe('the run before', () => {
  test.each([
    ['unfinished, same plan: its id is continued', false, 'sha256:1', 'r1', true],
    ['unfinished, another plan', false, 'sha256:2', 'r2', false],
    ['finished, same plan', true, 'sha256:1', 'r2', false],
  ])('%s', async (_, finished, plan, run, resumed) => {
    const { lease } = await world.acquire();
    await lease.release({ finished });
    const second = await world.acquire({ run: 'r2', holder: 'ci/2', plan });
    expect(second).toMatchObject({ run, resumed });
    const now = leases.peek(LEASE);
    expect(now && runOf(now)).toEqual({ run, plan, finished: false });
  });

  test.each(['', '../r1', 'r1,tiphys.dev/platform!=x', 'R1', 'r\n1', 'r'.repeat(64)])(
    'with an id that no run has, %j, is not continued',
    async (odd) => {
      const { lease } = await world.acquire();
      await lease.release({ finished: false });
      const before = leases.peek(LEASE);
      if (!before) throw new Error('no Lease');
      const annotations = new Map([...before.annotations, ['tiphys.dev/run', odd]]);
      await leases.api.update({ ...before, annotations });
      const second = await world.acquire({ run: 'r2', holder: 'ci/2' });
      expect(second).toMatchObject({ run: 'r2', resumed: false, previous: undefined });
    },
  );

  test('killed, same plan: its id is continued', async () => {
    const { lease } = await world.acquire();
    await world.kill(lease);
    expect(await world.acquire({ run: 'r2', holder: 'ci/2' })).toMatchObject({
      run: 'r1',
      resumed: true,
    });
  });

  test('a Lease that cannot be written ends in an error that says why', async () => {
    const answer = { kind: 'unknown', message: 'HTTP 500: etcd is full' } as const;
    const full = { ...leases.api, create: async () => answer };
    const error = await failure(world.acquire({ leases: full }));
    expect([codeOf(error), clock.monotonic()]).toEqual(['cluster-unreachable', 120_000]);
    expect((error as Error).message).toBe(
      'The run cannot start: the write of the Lease "tiphys-shop" failed 121 times in 2m; last answer: HTTP 500: etcd is full.',
    );
  });

  test('a Lease that cannot be written is given up when the user says so', async () => {
    const answer = { kind: 'unknown', message: 'HTTP 500' } as const;
    let sent = 0;
    const create = async () => {
      sent++;
      return answer;
    };
    const giveUp = new AbortController();
    const own = { leases: { ...leases.api, create }, signal: giveUp.signal };
    const error = failure(acquireLease(world.request(own)));
    await clock.advance(2_500);
    giveUp.abort();
    expect([codeOf(await clock.until(error)), sent]).toEqual(['interrupted', 3]);
  });

  test('conflicts for long are no failed writes: somebody else is faster each time', async () => {
    const conflict = { kind: 'refused', reason: 'conflict', message: 'changed' } as const;
    for (let times = 0; times < 150; times++) leases.faults.push({ result: conflict });
    expect(await world.acquire()).toMatchObject({ run: 'r1' });
    expect(clock.monotonic()).toBe(150_000);
  });
});
