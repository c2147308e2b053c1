// An operation in flight keeps Argo CD from deleting: it is waited for or ended before anything is asked for.
import { describe, expect, test } from 'vitest';
import { request } from '../../test/fakes/node-world.ts';
import { RemovalWorld } from '../../test/fakes/removal-world.ts';
import type { OperationRequest } from '../ports/application-view.ts';

const OURS = request('old/app:a/1', {
  infos: new Map([
    ['tiphys/op', 'old/app:a/1'],
    ['tiphys/platform', 'shop'],
  ]),
});
const OTHER = request(undefined, { username: 'jane' });

class BusyWorld extends RemovalWorld {
  /** When each operation was ended. */
  readonly ended: number[] = [];

  /** `heeds`: it ends when it is told to. */
  constructor(operation: OperationRequest, heeds = true) {
    super({ operation });
    this.applications.terminate = async () => {
      this.ended.push(this.clock.monotonic());
      if (heeds) this.later(1_000, { operation: undefined });
      return { kind: 'done' };
    };
    const remove = this.applications.remove;
    this.applications.remove = async (address) => {
      this.goesAfter(500);
      return (await remove?.(address)) ?? { kind: 'done' };
    };
  }
}

test('one of a run of this platform is ended at once', async () => {
  const world = new BusyWorld(OURS);
  expect(await world.run()).toMatchObject({ outcome: 'removed' });
  expect([world.ended, world.requests]).toEqual([[0], [1_000]]);
});

test('any other has the time that a sync has, and is ended then', async () => {
  const world = new BusyWorld(OTHER);
  expect(await world.run()).toMatchObject({ outcome: 'removed' });
  expect([world.ended, world.requests]).toEqual([[300_000], [301_000]]);
});

test.each([
  ['of Argo CD itself', request(undefined, { automated: true }), 'an operation of Argo CD itself'],
  ['of a user', OTHER, 'an operation of jane'],
])('one that ends by itself is waited for and not ended: %s', async (_, operation, words) => {
  const world = new BusyWorld(operation);
  world.later(12_000, { operation: undefined });
  expect(await world.run()).toMatchObject({ outcome: 'removed' });
  expect([world.ended, world.requests]).toEqual([[], [12_000]]);
  expect(world.waits[0]).toBe(`${words} is running`);
});

test('one that does not end, though it was ended, keeps the Application', async () => {
  const world = new BusyWorld(OURS, false);
  const { result, ms } = await world.timed(world.start());
  expect(result).toMatchObject({
    outcome: 'failed',
    cause: { message: 'its operation was terminated but does not end' },
  });
  expect(ms).toBe(60_000);
  expect(world.requests).toEqual([]);
});

test('its end is seen although nobody tells of it', async () => {
  const world = new BusyWorld(OTHER);
  world.watch.nextChange = () => new Promise(() => {});
  world.later(12_000, { operation: undefined });
  expect(await world.run()).toMatchObject({ outcome: 'removed' });
  expect(world.requests).toEqual([15_000]);
});

test('a watch that has not seen the operation yet does not delay it', async () => {
  const world = new BusyWorld(OURS);
  const idle = { ...world.view, operation: undefined };
  world.watch.last = () => (world.isGone ? undefined : idle);
  expect(await world.run()).toMatchObject({ outcome: 'removed' });
  expect(world.ended).toEqual([0]);
});

describe('what happens while it is waited for', () => {
  test.each([
    ['somebody deletes it', { deleting: true }, 'removed'],
    ['somebody makes it again', { uid: 'uid-other' }, 'failed'],
  ])('%s: nothing is ended or asked for', async (_, change, outcome) => {
    const world = new BusyWorld(OTHER);
    world.later(12_000, change);
    if (outcome === 'removed') world.goesAfter(20_000);
    const { result, ms } = await world.timed(world.start());
    expect(result.outcome).toBe(outcome);
    expect(ms).toBeLessThan(60_000);
    expect([world.ended, world.requests]).toEqual([[], []]);
  });

  test('it goes', async () => {
    const world = new BusyWorld(OTHER);
    world.goesAfter(12_000);
    expect(await world.run()).toMatchObject({ outcome: 'removed' });
    expect([world.ended, world.requests]).toEqual([[], []]);
  });
});
