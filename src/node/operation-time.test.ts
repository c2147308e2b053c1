// The time that an operation has: it stands still under a closed window, and at its end only our own operation is ended.
import { describe, expect, test } from 'vitest';
import { request } from '../../test/fakes/node-world.ts';
import { OperationWorld, OURS, over, underWay } from '../../test/fakes/operation-world.ts';
import type { WriteResult } from '../ports/write-result.ts';
import { foreignEnd } from './sync-operation.ts';
import { isFrozen, suspended, syncTime } from './sync-time.ts';

const REASON = 'the sync exceeded its timeout; the operation is Running';
const TIMED_OUT = { kind: 'failed', failure: { message: REASON, final: true } };

describe('time is up', () => {
  test('our own operation is ended once, and its end is waited for', async () => {
    const world = new OperationWorld();
    const { terminate } = world.applications;
    world.applications.terminate = async (address) => {
      world.later(700, over(OURS, { phase: 'Failed' }));
      return (await terminate?.(address)) ?? { kind: 'done' };
    };
    expect(await world.run()).toEqual({ result: TIMED_OUT, ms: 300_700 });
    expect(world.terminated).toEqual([300_000]);
  });

  test('its end is waited for a minute, no longer', async () => {
    const world = new OperationWorld();
    expect(await world.run()).toEqual({ result: TIMED_OUT, ms: 360_000 });
    expect(world.terminated).toEqual([300_000]);
  });

  test('one of somebody else is not ours to end', async () => {
    const world = new OperationWorld(underWay('other/app:a/1'));
    expect(await world.run()).toEqual({ result: TIMED_OUT, ms: 300_000 });
    expect(world.terminated).toEqual([]);
  });

  test.each([
    ['it is deleted', undefined],
    ['another one takes its place', underWay('other/app:a/1', { startedAt: 99 })],
  ])('nothing more is ended once %s', async (_, part) => {
    const world = new OperationWorld();
    const { get, terminate } = world.applications;
    let isGone = false;
    world.applications.terminate = async (address) => {
      void world.clock.sleep(5_000).then(() => {
        isGone = part === undefined;
        world.change(part ?? { deleting: true });
      });
      return (await terminate?.(address)) ?? { kind: 'done' };
    };
    world.applications.get = async (address) => (isGone ? undefined : await get?.(address));
    const { result, ms } = await world.run();
    expect(result).toEqual(TIMED_OUT);
    expect(ms).toBeLessThan(310_000);
    expect(world.terminated).toEqual([300_000]);
  });

  test('one that takes its place while the hold is waited for goes on', async () => {
    const world = new OperationWorld();
    world.held = async () => world.change(underWay('other/app:a/1', { startedAt: 99 }));
    expect((await world.run()).result).toEqual(TIMED_OUT);
    expect(world.terminated).toEqual([]);
  });

  const refused = (reason: 'forbidden' | 'nothing-in-progress'): WriteResult => ({
    ...{ kind: 'refused', reason, message: 'no' },
  });

  test.each([
    ['who may not end it does not ask again', refused('forbidden'), [300_000]],
    ['before it is taken up, it is asked for again', refused('nothing-in-progress'), null],
    ['without an answer, it is asked for again', { kind: 'unknown', message: 'none' }, null],
  ] as const)('%s', async (_, answer, expected) => {
    const world = new OperationWorld();
    world.applications.terminate = async () => {
      world.terminated.push(world.clock.monotonic());
      return world.terminated.length < 4 ? answer : { kind: 'done' };
    };
    await world.run();
    expect(world.terminated).toEqual(expected ?? [300_000, 302_000, 304_000, 306_000]);
  });
});

describe('a closed window', () => {
  const frozen = underWay(OURS, { message: 'Sync operation blocked by sync window' });

  test('an operation that met it stands still, and so does its time', async () => {
    const world = new OperationWorld(frozen);
    world.later(1_000_000, underWay(OURS));
    const { result, ms } = await world.run();
    expect(result).toEqual(TIMED_OUT);
    expect(world.terminated).toEqual([1_300_000]);
    expect(ms).toBe(1_360_000);
    expect(world.waits[0]).toContain('blocked by sync window');
  });

  test('it is met on the way: what was left of the time is left after it', async () => {
    const world = new OperationWorld();
    world.later(100_000, frozen);
    world.later(500_000, underWay(OURS));
    expect((await world.run()).result).toEqual(TIMED_OUT);
    expect(world.terminated).toEqual([700_000]);
  });

  test('Argo CD may not have looked at it since: then the windows are asked before it is ended', async () => {
    const world = new OperationWorld();
    world.blocked = async () =>
      world.clock.monotonic() < 400_000 ? { until: 'until noon' } : undefined;
    world.later(650_000, over(OURS));
    const { result } = await world.run();
    expect(result.kind).toBe('succeeded');
    expect(world.terminated).toEqual([]);
    expect(world.events).toContainEqual(
      expect.objectContaining({ unmet: expect.objectContaining({ condition: 'blocked' }) }),
    );
  });

  test('once it is open, Argo CD is asked to look at the operation again, and not before', async () => {
    const world = new OperationWorld(frozen);
    world.blocked = async () =>
      world.clock.monotonic() < 40_000 ? { until: 'until noon' } : undefined;
    const { refresh } = world.applications;
    world.applications.refresh = async (address) => {
      world.later(1_000, over(OURS));
      return await refresh?.(address);
    };
    expect((await world.run()).result.kind).toBe('succeeded');
    expect(world.refreshed).toEqual([45_000]);
  });

  test('where Argo CD goes on by itself, or cannot be asked, that is enough', async () => {
    const world = new OperationWorld(frozen);
    world.later(10_000, over(OURS));
    expect((await world.run()).ms).toBe(10_000);
    expect(world.refreshed).toEqual([]);
    const away = new OperationWorld(frozen);
    away.applications.refresh = async () => {
      throw new Error('no');
    };
    away.later(50_000, over(OURS));
    expect((await away.run()).result.kind).toBe('succeeded');
  });

  test('windows that cannot be read do not keep it', async () => {
    const world = new OperationWorld();
    world.blocked = async () => {
      throw new Error('no');
    };
    expect((await world.run()).result).toEqual(TIMED_OUT);
  });

  test('an open one is not asked for before time is up', async () => {
    const world = new OperationWorld();
    let asked = 0;
    world.blocked = async () => {
      asked++;
      return undefined;
    };
    world.later(100_000, over(OURS));
    await world.run();
    expect(asked).toBe(0);
  });

  test.each([
    ['one that runs', frozen, true],
    ['one that runs well', underWay(OURS), false],
    ['one that was blocked and has ended', { ...frozen, operation: undefined }, false],
    [
      'one that is being ended',
      underWay(OURS, { ...frozen.operationState, phase: 'Terminating' }),
      false,
    ],
  ])('what stands still: %s', (_, part, expected) => {
    const world = new OperationWorld(part);
    expect(isFrozen(world.view)).toBe(expected);
  });

  test('what is waited for under it is not counted', async () => {
    const world = new OperationWorld();
    world.clock.pause(1_000);
    const time = syncTime(world.context);
    for (const ms of [5_000, 7_000])
      await world.clock.until(suspended(world.context, time, () => world.clock.sleep(ms)));
    expect(time).toEqual({ deadline: 313_000, suspendedMs: 12_000 });
  });
});

describe("another client's operation", () => {
  const wait = (world: OperationWorld, deadline = 60_000) => {
    const told: string[] = [];
    const report = ({ message }: { readonly message: string }) => told.push(message);
    return { told, ended: world.timed(foreignEnd(world.context, report, deadline)) };
  };

  test.each([
    ['Argo CD itself', { automated: true, username: 'jane' }],
    ['jane', { username: 'jane' }],
    ['another client', { username: '' }],
  ])('is waited for to its end: of %s', async (who, part) => {
    const world = new OperationWorld({ operation: request(undefined, part) });
    world.later(9_000, over(undefined));
    const { told, ended } = wait(world);
    expect((await ended).ms).toBe(9_000);
    expect(told).toEqual([`an operation of ${who} is running`]);
  });

  test('is given up with the time that there is', async () => {
    const world = new OperationWorld({ operation: request(undefined) });
    const { result, ms } = await wait(world).ended;
    expect(ms).toBe(60_000);
    expect(result?.operation).toBeDefined();
  });

  test('nobody waits where there is none', async () => {
    const world = new OperationWorld(over(undefined));
    const { told, ended } = wait(world);
    expect([(await ended).ms, told]).toEqual([0, []]);
    world.applications.get = async () => undefined;
    expect((await wait(world).ended).result).toBeUndefined();
  });
});
