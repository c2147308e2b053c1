// How an Application is deleted: asked for once, by uid, and done when nothing of it is left.
import { describe, expect, test } from 'vitest';
import { unreachable } from '../../test/fakes/node-world.ts';
import { present, RemovalWorld, SECRET } from '../../test/fakes/removal-world.ts';
import type { PresentObject } from '../ports/cluster-objects.ts';

describe('it is removed', () => {
  test.each([
    ['both at once', 7_000, 7_000, 7],
    ['the Application last', 7_000, 1_000, 7],
    // It is looked for from time to time.
    ['an object last', 1_000, 7_000, 11],
  ])('when nothing is left, and not before: %s', async (_, application, rest, seconds) => {
    const world = new RemovalWorld();
    world.clock.pause(1_000_000);
    world.present = present();
    world.goesAfter(application, rest);
    expect(await world.run()).toMatchObject({
      outcome: 'removed',
      cause: undefined,
      durations: { sync: seconds, health: 0, dwell: 0 },
    });
    expect(world.requests).toEqual([1_000_000]);
    expect(world.asked).toBe(1);
  });

  test('it tells what is left', async () => {
    const world = new RemovalWorld();
    world.present = present();
    world.goesAfter(7_000, 1_000);
    await world.run();
    expect(world.waits).toEqual([
      '1 left, such as Secret data/s',
      'Argo CD has not removed the Application yet',
    ]);
  });

  test('what is gone already is not asked for', async () => {
    const world = new RemovalWorld();
    world.isGone = true;
    expect(await world.run({ uid: undefined })).toMatchObject({ outcome: 'removed' });
    expect([world.requests, world.prepared, world.asked]).toEqual([[], 0, 0]);
  });

  test('what is going already is not asked for', async () => {
    const world = new RemovalWorld({ deleting: true });
    world.goesAfter(3_000);
    expect(await world.run()).toMatchObject({ outcome: 'removed' });
    expect([world.requests, world.prepared, world.asked]).toEqual([[], 0, 0]);
  });

  test('nothing is prepared again and again, however far behind the watch is', async () => {
    const world = new RemovalWorld();
    const before = world.view;
    world.watch.last = () => before;
    world.present = present();
    world.goesAfter(2_000, 20_000);
    expect(await world.run()).toMatchObject({ outcome: 'removed' });
    // Again right after the request only, when it is not seen to be going yet.
    expect(world.prepared).toBe(2);
  });

  test('a request that Argo CD lost is made again', async () => {
    const world = new RemovalWorld();
    const remove = world.applications.remove;
    world.applications.remove = async (address) => {
      const result = await remove?.(address);
      if (world.requests.length === 1) world.change({ deleting: false });
      else world.goesAfter(100);
      return result ?? { kind: 'done' };
    };
    expect(await world.run()).toMatchObject({ outcome: 'removed' });
    expect(world.requests).toHaveLength(2);
  });

  test('one that goes between the request and its answer is not waited for', async () => {
    const world = new RemovalWorld();
    world.applications.remove = async () => {
      world.isGone = true;
      return { kind: 'done' };
    };
    const { result, ms } = await world.timed(world.start());
    expect(result.outcome).toBe('removed');
    expect(ms).toBe(0);
  });

  test('a watch that never shows it does not make it read without end', async () => {
    const world = new RemovalWorld({ deleting: true });
    world.watch.last = () => undefined;
    world.goesAfter(20_000);
    await world.run();
    expect(world.reads).toBeLessThan(20);
  });
});

describe('Argo CD overlooks its deletion', () => {
  test('a refresh is asked for when nothing has changed for 20 s, and wakes it', async () => {
    const world = new RemovalWorld();
    world.present = present({ deletingSince: undefined });
    const { refresh } = world.applications;
    world.applications.refresh = (address) => {
      world.goesAfter(2_000);
      return refresh?.(address) ?? Promise.resolve(undefined);
    };
    const { result, ms } = await world.timed(world.start());
    expect([result.outcome, world.refreshed, ms]).toEqual(['removed', [21_000], 23_000]);
  });

  test('a few times at most, however long it lasts', async () => {
    const world = new RemovalWorld();
    world.goesAfter(170_000);
    expect(await world.run({ stuckAfter: 180 })).toMatchObject({ outcome: 'removed' });
    expect(world.refreshed).toEqual([21_000, 41_000, 61_000]);
  });

  test('not while something goes on, nor once the Application is gone', async () => {
    const world = new RemovalWorld();
    world.present = present();
    for (let at = 1; at < 6; at++)
      void world.clock.sleep(at * 15_000).then(() => {
        world.present = present({ finalizers: [`x/${at}`] });
      });
    world.goesAfter(85_000, 150_000);
    expect(await world.run({ stuckAfter: 180 })).toMatchObject({ outcome: 'removed' });
    expect(world.refreshed).toEqual([]);
  });

  test('one that fails does no harm, and what hangs is told as soon', async () => {
    const world = new RemovalWorld();
    world.applications.refresh = () => Promise.reject(unreachable());
    const { result, ms } = await world.timed(world.start());
    expect(result.outcome).toBe('failed');
    expect(ms).toBe(61_000);
  });
});

describe('it is another one', () => {
  test.each([
    ['before the request', 0, []],
    ['after it', 8_000, [0]],
  ])('made again %s', async (_, after, requests) => {
    const world = new RemovalWorld();
    if (after === 0) world.change({ uid: 'uid-other' });
    else world.later(after, { uid: 'uid-other', deleting: false });
    const result = await world.run();
    expect(result).toMatchObject({ outcome: 'failed', cause: { node: 'app:a' } });
    expect(result.cause?.message).toContain('uid-other');
    expect(world.requests).toEqual(requests);
  });

  test('it is not asked for while what is read and what is watched differ', async () => {
    const world = new RemovalWorld();
    world.watch.last = () => ({ ...world.view, uid: 'uid-other' });
    const { result, ms } = await world.timed(world.start());
    expect(result.cause?.message).toContain('differ');
    expect(ms).toBe(300_000);
    expect(world.requests).toEqual([]);
  });

  test('it is asked for as soon as they agree', async () => {
    const world = new RemovalWorld();
    world.watch.last = () =>
      world.clock.monotonic() < 2_500 ? { ...world.view, uid: 'uid-other' } : world.view;
    world.goesAfter(10_000);
    expect(await world.run()).toMatchObject({ outcome: 'removed' });
    expect(world.requests).toEqual([3_000]);
  });
});

describe('it cannot go', () => {
  test('what must be done before was not', async () => {
    const world = new RemovalWorld();
    const result = await world.run({ prepare: async () => 'no snapshot' });
    expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'no snapshot' } });
    expect(world.requests).toEqual([]);
  });

  test('Argo CD refuses', async () => {
    const world = new RemovalWorld();
    world.answers.push({ kind: 'refused', reason: 'forbidden', message: 'you may not' });
    const result = await world.run();
    expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'you may not' } });
    expect(world.asked).toBe(0);
  });

  test('Argo CD does not know it: that is what was wanted', async () => {
    const world = new RemovalWorld();
    world.applications.remove = async () => {
      world.isGone = true;
      return { kind: 'refused', reason: 'not-found', message: 'none' };
    };
    expect(await world.run()).toMatchObject({ outcome: 'removed' });
    expect(world.asked).toBe(0);
  });

  test.each([
    ['comes back', 60_000, 'removed'],
    ['does not', 400_000, 'failed'],
  ])('a cluster that cannot be reached %s', async (_, until, outcome) => {
    const world = new RemovalWorld();
    world.objects.get = async () => {
      if (world.clock.monotonic() < until) throw unreachable();
      return undefined;
    };
    world.goesAfter(1_000);
    const { result, ms } = await world.timed(world.start());
    expect(result.outcome).toBe(outcome);
    expect(ms).toBeLessThan(310_000);
  });

  test('whatever else is thrown is no failure of the node', async () => {
    const world = new RemovalWorld();
    world.objects.get = async () => {
      throw new Error('a bug');
    };
    await expect(world.run()).rejects.toThrow('a bug');
  });
});

describe('it hangs', () => {
  const hang = (part: Partial<PresentObject> = {}) => {
    const world = new RemovalWorld();
    world.present = present(part);
    return world;
  };

  test('for as long as was allowed, then its finalizer is named and left', async () => {
    const world = hang();
    const { result, ms } = await world.timed(world.start());
    expect(result.cause).toMatchObject({ node: 'app:a', resource: 'Secret data/s' });
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(70_000);
    expect(world.cleared).toEqual([]);
  });

  test('where that is allowed, its finalizer is taken off once', async () => {
    const world = hang();
    const { result, ms } = await world.timed(world.start({ unsafe: true }));
    expect(world.cleared).toEqual(['uid-s']);
    expect(world.events).toContainEqual({
      type: 'node.finalizers-removed',
      node: 'app:a',
      resource: SECRET,
      finalizers: ['x/hold'],
    });
    // It did not help, and is not tried for ever.
    expect(result.outcome).toBe('failed');
    expect(ms).toBeGreaterThanOrEqual(120_000);
  });

  test.each([
    ['is not being deleted', { deletingSince: undefined }],
    ['has no finalizer', { finalizers: [] }],
  ])('what %s is left alone', async (_, part) => {
    const world = hang(part);
    const result = await world.run({ unsafe: true });
    expect(result.outcome).toBe('failed');
    expect(world.cleared).toEqual([]);
  });

  test('what was refused is not told as done', async () => {
    const world = hang();
    world.objects.prepareFinalizerRemoval = async () => async () => ({
      ...{ kind: 'refused', reason: 'forbidden', message: 'you may not' },
    });
    await world.run({ unsafe: true });
    expect(world.events.map(({ type }) => type)).not.toContain('node.finalizers-removed');
  });
});
