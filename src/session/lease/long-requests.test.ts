// A request that takes long is never under way when the lease could be somebody else's.
import { beforeEach, expect, test } from 'vitest';
import type { FakeLeases } from '../../../test/fakes/cluster.ts';
import { LEASE, LeaseWorld } from '../../../test/fakes/lease-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { LongRequest } from '../../ports/write-result.ts';
import { LEASE_DURATION_MS } from './lease-data.ts';

let world: LeaseWorld;
let clock: VirtualClock;
let leases: FakeLeases;

beforeEach(() => {
  world = new LeaseWorld();
  ({ clock, leases } = world);
});

/** Begins one, and says until when it may go on. */
async function begun(requestMs: number) {
  const { lease } = await world.acquire({ requestMs });
  const until: number[] = [];
  const given: { answer: () => void; signal?: AbortSignal } = { answer: () => {} };
  const sent = lease.sendLong(({ extension, signal }: LongRequest) => {
    given.signal = signal;
    void extension.then((moment) => until.push(moment));
    return new Promise<void>((resolve) => {
      given.answer = resolve;
    });
  });
  return { lease, until, given, sent };
}

const seconds = () => leases.peek(LEASE)?.durationSeconds;

test('one that is answered at once leaves the lease as it is', async () => {
  const { until, given, sent } = await begun(30_000);
  await clock.advance(900);
  given.answer();
  await sent;
  await clock.advance(3_000);
  expect([until, leases.writes]).toEqual([[], 1]);
});

test('one that is not has longer, once the lease lasts as long', async () => {
  const { until } = await begun(30_000);
  await clock.advance(1_000);
  expect([until, seconds()]).toEqual([[30_000], 29]);
});

test('at each renewal the lease outlasts it, and by no more than a second more than usual', async () => {
  await begun(60_000);
  for (let second = 2; second < 60; second++) {
    await clock.advance(1_000);
    const now = leases.peek(LEASE);
    const renewed = Date.parse(now?.renewTime ?? '') - (clock.now() - clock.monotonic());
    const ends = renewed + (now?.durationSeconds ?? 0) * 1000;
    expect(ends).toBeGreaterThanOrEqual(60_000);
    expect(ends).toBeLessThanOrEqual(Math.max(61_000, renewed + LEASE_DURATION_MS));
  }
});

test('with its answer the lease is as short as before, at once', async () => {
  const { given, sent } = await begun(30_000);
  await clock.advance(2_000);
  expect(seconds()).toBe(29);
  given.answer();
  await sent;
  await clock.advance(10);
  expect(seconds()).toBe(15);
});

test('as long as another one is under way it is not', async () => {
  const first = await begun(30_000);
  await clock.advance(2_000);
  void first.lease.sendLong(() => new Promise(() => {}));
  await clock.advance(2_000);
  first.given.answer();
  await first.sent;
  await clock.advance(1_500);
  expect(seconds()).toBeGreaterThanOrEqual(26);
});

test('where the lease cannot be written it has no longer than any write', async () => {
  const { until } = await begun(30_000);
  leases.down = new Error('restarting');
  await clock.advance(5_000);
  leases.down = undefined;
  await clock.advance(20_000);
  expect(until).toEqual([]);
  expect(seconds()).toBe(15);
});

test('it is given up with the lease', async () => {
  const { lease, given } = await begun(30_000);
  await clock.advance(2_000);
  expect(given.signal?.aborted).toBe(false);
  await lease.release({ finished: false });
  expect(given.signal?.aborted).toBe(true);
});

test('who takes over waits for it', async () => {
  const { lease } = await begun(30_000);
  await clock.advance(2_000);
  await world.kill(lease);
  const before = clock.monotonic();
  await world.acquire({ holder: 'ci/2', run: 'r2' });
  expect(clock.monotonic() - before).toBe(29_000 + 5_000);
});
