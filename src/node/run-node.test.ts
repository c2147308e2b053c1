// A node from its first look to its end: how many operations it makes, when it tries again, and when it gives up.
import { describe, expect, test } from 'vitest';
import { evidence, operationState } from '../../test/fakes/application.ts';
import type { Behaviour } from '../../test/fakes/argocd.ts';
import { NodeWorld, nodeOf, request, running } from '../../test/fakes/node-world.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { Observed } from './observe.ts';
import { runApplication } from './run-node.ts';

class SyncWorld extends NodeWorld {
  constructor(behaviour: Behaviour, part: Partial<ApplicationView> = {}, node = nodeOf()) {
    super({ sync: { status: 'OutOfSync', revisions: ['rev-1'] }, ...part }, node);
    this.argocd.behave('a', behaviour);
  }

  /** With what was seen of it at first. */
  start(part: Partial<Observed> = {}) {
    const seen = { kind: 'needs-sync', application: this.view, unmet: undefined, ...part };
    return runApplication(this.context, async () => seen as Observed);
  }

  run(part: Partial<Observed> = {}) {
    return this.timed(this.start(part));
  }

  get ids(): readonly string[] {
    return this.argocd.syncs.map(({ id }) => id.replace('run/app:a/', ''));
  }

  /** Seconds between one request and the next. */
  get pauses(): readonly number[] {
    const { syncs } = this.argocd;
    return syncs.slice(1).map(({ at }, n) => (at - (syncs[n]?.at ?? 0)) / 1000);
  }

  get retries(): readonly unknown[] {
    return this.events.flatMap((one) => (one.type === 'node.attempt-failed' ? [one.retry] : []));
  }

  get failedAttempts(): readonly number[] {
    return this.events.flatMap((one) => (one.type === 'node.attempt-failed' ? [one.attempt] : []));
  }
}

const tries = (maxAttempts: number, backoff: number, health = 300) =>
  nodeOf('application', {
    retries: { maxAttempts, backoff },
    timeouts: { sync: 300, health },
  });

describe('attempts', () => {
  test('one is enough where it succeeds', async () => {
    const world = new SyncWorld({});
    const { result } = await world.run();
    expect(result).toMatchObject({
      outcome: 'healthy',
      attempts: 1,
      operations: ['run/app:a/1'],
      revisions: ['rev-1'],
      durations: { sync: 2, dwell: 10 },
    });
    expect([world.ids, world.holds]).toEqual([['1'], 1]);
  });

  test('as many as were allowed, each twice as long after the one before', async () => {
    const world = new SyncWorld({ phases: ['Failed'] });
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'failed', attempts: 3, revisions: [], evidence: null });
    expect(world.ids).toEqual(['1', '2', '3']);
    expect(world.pauses).toEqual([12, 22]);
    expect(world.failedAttempts).toEqual([1, 2, 3]);
    expect(world.retries).toEqual([
      { inSeconds: 10, attempts: 3 },
      { inSeconds: 20, attempts: 3 },
      undefined,
    ]);
  });

  test('never more than five minutes after the one before', async () => {
    const world = new SyncWorld({ phases: ['Failed'] }, {}, tries(4, 200));
    await world.run();
    expect(world.pauses).toEqual([202, 302, 302]);
  });

  test('those of a process before this one do not count, and are not made again', async () => {
    const state = operationState({ ...request('run/app:a/3'), phase: 'Failed' });
    const world = new SyncWorld({ phases: ['Failed'] }, { operationState: state });
    const { result } = await world.run();
    expect(result.outcome).toBe('failed');
    expect(world.ids).toEqual(['4', '5', '6']);
    expect(world.pauses).toEqual([12, 22]);
  });

  test.each([
    ['is under way', { operation: request('run/app:a/2'), operationState: running('run/app:a/2') }],
    ['has succeeded', { operationState: operationState(request('run/app:a/2')) }],
  ])('one of this run that %s is gone on with', async (_, part) => {
    const sync = { status: 'Synced', revisions: ['rev-1'] };
    const world = new SyncWorld({}, { ...part, sync });
    const finishedAt = world.second + 5;
    const state = operationState({ ...request('run/app:a/2'), finishedAt });
    world.later(5_000, { operation: undefined, operationState: state });
    expect((await world.run()).result).toMatchObject({ outcome: 'healthy', attempts: 2 });
    expect(world.ids).toEqual([]);
  });

  test('the time for health is counted once for all of them, from the end of the first', async () => {
    const world = new SyncWorld({ becomes: 'Degraded' }, {}, tries(9, 10, 100));
    const { result, ms } = await world.run();
    expect(result.cause?.message).toContain('not Healthy within 1m40s (timeouts.health)');
    expect(world.ids).toEqual(['1', '2']);
    expect(ms).toBeGreaterThanOrEqual(102_000);
    expect(ms).toBeLessThan(104_000);
  });

  test('an operation that failed does not begin it', async () => {
    const phases = ['Failed', 'Succeeded'] as const;
    const node = tries(2, 10, 100);
    const world = new SyncWorld({ sync: 60, phases, becomes: 'Progressing' }, {}, node);
    const { ms } = await world.run();
    expect(ms).toBeGreaterThanOrEqual(230_000);
    expect(ms).toBeLessThan(232_000);
  });

  test('a request that is refused for good is not waited for', async () => {
    const world = new SyncWorld({});
    world.argocd.answers.push({ kind: 'refused', reason: 'forbidden', message: 'you may not' });
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'you may not' } });
    expect(ms).toBe(0);
  });

  test('a closed window between them does not count for it', async () => {
    const world = new SyncWorld({ becomes: 'Degraded' }, {}, tries(2, 10, 100));
    world.blocked = async () => {
      const now = world.clock.monotonic();
      return now > 10_000 && now < 500_000 ? { until: 'until noon' } : undefined;
    };
    const { ms } = await world.run();
    expect(world.ids).toEqual(['1', '2']);
    expect(ms).toBeGreaterThan(520_000);
  });
});

describe('Git moves on', () => {
  /** With each of so many requests. */
  function moving(times: number, part: Partial<ApplicationView> = {}) {
    const world = new SyncWorld({}, part);
    world.applications.requestSync = async (address, asked) => {
      const result = await world.honest.requestSync(address, asked);
      if (world.ids.length <= times) world.argocd.revision = `rev-${world.ids.length + 1}`;
      return result;
    };
    return world;
  }

  test('it is synced again, and that is no other attempt', async () => {
    const world = moving(3);
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', attempts: 1, revisions: ['rev-4'] });
    expect(world.ids).toEqual(['1', '1+1', '1+2', '1+3']);
    expect(world.failedAttempts).toEqual([]);
  });

  test('again and again: it is given up', async () => {
    const world = moving(9);
    const { result } = await world.run();
    expect(result.cause?.message).toBe('Git got newer commits repeatedly during the sync');
    expect(world.ids).toHaveLength(4);
  });
});

describe("somebody's operation that did what ours would do", () => {
  const adopted = { id: undefined, finishedAt: 100, revisions: ['rev-1'] };
  const synced = { sync: { status: 'Synced', revisions: ['rev-1'] } };

  test('is enough', async () => {
    const world = new SyncWorld({}, synced);
    expect((await world.run({ adopted })).result).toMatchObject({
      outcome: 'healthy',
      attempts: 0,
      operations: [],
    });
    expect(world.ids).toEqual([]);
  });

  test('where it does not become Healthy, ours is made at once, as the first', async () => {
    const world = new SyncWorld({}, synced);
    world.argocd.turn('a', 'Degraded');
    const { result } = await world.run({ adopted });
    expect(result).toMatchObject({ outcome: 'healthy', attempts: 1 });
    expect(world.ids).toEqual(['1']);
    expect(world.failedAttempts).toEqual([0]);
    expect(world.argocd.syncs[0]?.at).toBeLessThan(64_000);
  });

  test('where Git has moved on since, ours is made, as the first', async () => {
    const world = new SyncWorld({}, synced);
    world.argocd.revision = 'rev-2';
    expect((await world.run({ adopted })).result).toMatchObject({ outcome: 'healthy' });
    expect(world.ids).toEqual(['1']);
  });

  test('one of this run that is under way comes first', async () => {
    const own = { operation: request('run/app:a/1'), operationState: running('run/app:a/1') };
    const world = new SyncWorld({}, { ...own, ...synced });
    const state = operationState({ ...request('run/app:a/1'), finishedAt: world.second + 20 });
    world.later(20_000, { operation: undefined, operationState: state });
    const { result, ms } = await world.run({ adopted });
    expect(result).toMatchObject({ outcome: 'healthy', attempts: 1 });
    expect(ms).toBeGreaterThan(30_000);
  });
});

describe('nothing is synced', () => {
  test('where it is missing', async () => {
    const world = new SyncWorld({});
    const { result } = await world.run({ kind: 'missing', message: 'none' });
    expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'none' } });
    expect([world.ids, world.holds]).toEqual([[], 1]);
  });

  test('where nothing is known', async () => {
    const world = new SyncWorld({});
    const unmet = { condition: 'compared-afterwards', message: 'late' } as const;
    const { result } = await world.run({ kind: 'unknown', unmet });
    expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'late' } });
    expect([world.ids, world.holds]).toEqual([[], 1]);
  });

  test('where its gate holds: nothing is held, too', async () => {
    const world = new SyncWorld({});
    const { result } = await world.run({ kind: 'holds', evidence: evidence() });
    expect(result).toMatchObject({ outcome: 'unchanged', revisions: ['rev-1'] });
    expect([world.ids, world.holds]).toEqual([[], 0]);
  });
});

describe("somebody's operation that ended between the first look and the request", () => {
  const foreign = operationState({ ...request(undefined), phase: 'Failed', finishedAt: 150 });

  /** Shows what was there before the request for so long after it. */
  function lagging(world: SyncWorld, ms: number): void {
    let until = 0;
    let before = world.view;
    world.applications.requestSync = async (...asked) => {
      before = world.view;
      until = world.clock.monotonic() + ms;
      return await world.honest.requestSync(...asked);
    };
    world.applications.get = async (address) =>
      world.clock.monotonic() < until ? before : await world.honest.get(address);
  }

  test.each([
    ['seen by the watch', false],
    ['read while a sync window was closed', true],
  ])('is not taken for the end of ours: %s', async (_, isClosed) => {
    const world = new SyncWorld({});
    if (isClosed) world.watch.last = () => undefined;
    lagging(world, 9_000);
    const first = world.view;
    world.change({ operationState: foreign });
    world.blocked = async () =>
      isClosed && world.clock.monotonic() < 10_000 ? { until: 'for now' } : undefined;
    const { result } = await world.run({ application: first });
    expect(result).toMatchObject({ outcome: 'healthy', attempts: 1 });
    expect(world.ids).toEqual(['1']);
  });
});
