// The end of an operation that was asked for: whose it is, how it ended, and what if it does not show.
import { describe, expect, test } from 'vitest';
import { operationState } from '../../test/fakes/application.ts';
import { request, running } from '../../test/fakes/node-world.ts';
import { OperationWorld, OURS, over, underWay } from '../../test/fakes/operation-world.ts';

const FOREIGN = 'other/app:a/1';
const LOST = 'Argo CD lost the accepted request';

describe('how it ended', () => {
  test.each([
    ['ours', OURS, OURS],
    // As good: what matters is what it did, and that the gate says.
    ['another that took its place', undefined, undefined],
  ])('well: %s', async (_, id, expected) => {
    const world = new OperationWorld();
    world.later(9_000, over(id, { finishedAt: 200, revisions: ['rev-9'] }));
    const { result, ms } = await world.run();
    expect(result).toEqual({
      kind: 'succeeded',
      operation: { id: expected, finishedAt: 200, revisions: ['rev-9'] },
    });
    expect(ms).toBe(9_000);
  });

  const failed = (name: string, status: string, message: string) => ({
    resource: { group: '', kind: 'Job', namespace: 'web', name },
    ...{ status, hook: false, message },
  });
  const results = [failed('x', 'Synced', 'fine'), failed('y', 'SyncFailed', 'denied')];

  test.each([
    ['ours', OURS, 'Failed', [], 'the operation ended as Failed: one thing', undefined],
    [
      'foreign',
      FOREIGN,
      'Error',
      [],
      "another client's operation ended as Error: one thing",
      undefined,
    ],
    ['a resource', OURS, 'Failed', results, 'the operation ended as Failed: denied', 'Job web/y'],
  ] as const)('badly: %s', async (_, id, phase, all, message, resource) => {
    const world = new OperationWorld();
    world.later(9_000, over(id, { phase, message: 'one thing', results: all }));
    const { result } = await world.run();
    expect(result).toEqual({ kind: 'failed', failure: { message, resource, final: false } });
  });

  test('well, but nobody knows when: its gate could not be judged', async () => {
    const world = new OperationWorld(over(OURS, { finishedAt: undefined }));
    expect((await world.run()).result).toMatchObject({
      kind: 'failed',
      failure: { message: expect.stringContaining('without finishedAt'), final: false },
    });
  });

  test('the Application was deleted', async () => {
    const world = new OperationWorld();
    world.applications.get = async () => undefined;
    world.watch.last = () => undefined;
    const { result, ms } = await world.run();
    expect(result).toEqual({
      kind: 'failed',
      failure: { message: 'the Application was deleted', final: true },
    });
    expect(ms).toBe(0);
  });
});

describe('a server that lags behind', () => {
  const LAST = operationState({
    ...request(FOREIGN),
    phase: 'Failed',
    startedAt: 50,
    finishedAt: 60,
  });

  test.each([
    ['an operation of this node from before', over('run/app:a/0'), undefined],
    ['what was there when it was asked for', over(FOREIGN, LAST), { operationState: LAST }],
    [
      'what was there even before that',
      over(FOREIGN, { ...LAST, finishedAt: 55 }),
      { operationState: LAST, resourceVersion: '5000' },
    ],
  ])('is read again until it shows the request: %s', async (_, shown, before) => {
    const world = new OperationWorld(shown);
    world.later(13_000, over(OURS));
    const { result, ms } = await world.run(before);
    expect(result).toMatchObject({ kind: 'succeeded', operation: { id: OURS } });
    expect(ms).toBe(14_000);
  });

  test('is believed after half a minute: the request was lost', async () => {
    const world = new OperationWorld(over(FOREIGN, LAST));
    const { result, ms } = await world.run({ operationState: LAST });
    expect(result).toEqual({ kind: 'failed', failure: { message: LOST, final: false } });
    expect(ms).toBe(30_000);
  });

  test.each([
    ['phase', { phase: 'Error' as const }],
    ['beginning', { startedAt: 51 }],
    ['end', { finishedAt: 61 }],
    ['request', { infos: new Map([['tiphys/op', 'x/y/1']]) }],
  ])('what differs in its %s from what was there before is another operation', async (_, part) => {
    const world = new OperationWorld(over(FOREIGN, { ...LAST, ...part }));
    const { result, ms } = await world.run({ operationState: LAST });
    expect(result).toMatchObject({
      failure: { message: expect.stringContaining("another client's operation ended") },
    });
    expect(ms).toBe(0);
  });

  test('that does not show an Application which is watched is read again, for half a minute', async () => {
    const world = new OperationWorld();
    world.applications.get = async () =>
      world.clock.monotonic() < 13_000 ? undefined : { ...world.view, ...over(OURS) };
    expect(await world.run()).toMatchObject({ result: { kind: 'succeeded' }, ms: 14_000 });
    world.applications.get = async () => undefined;
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ failure: { message: 'the Application was deleted' } });
    expect(ms).toBe(30_000);
  });
});

describe('while it goes on', () => {
  test('it is read when the watch shows an end, and not at every step', async () => {
    const world = new OperationWorld();
    for (let n = 1; n <= 20; n++)
      world.later(n * 1_000, { operationState: running(OURS, { message: `step ${n}` }) });
    world.later(30_000, over(OURS));
    await world.run();
    expect(world.reads).toBe(2);
    expect(world.refreshed).toEqual([]);
    expect(world.waits).toHaveLength(21);
    expect(world.waits.at(-1)).toBe('the operation is Running: step 20');
  });

  test.each([
    [underWay(OURS), 'the operation is Running'],
    [underWay(OURS, { message: 'hook' }), 'the operation is Running: hook'],
    [underWay(OURS, { finishedAt: 90 }), 'the operation is waiting for a retry'],
    [underWay(OURS, { phase: 'Terminating', finishedAt: 90 }), 'the operation is Terminating'],
    [{ operation: request(OURS), operationState: undefined }, 'the operation has not started'],
  ])('it says what it does', async (shown, words) => {
    const world = new OperationWorld(shown);
    world.later(2_000, over(OURS));
    await world.run();
    expect(world.waits).toEqual([words]);
  });

  test('its end is told as nothing that is waited for', async () => {
    const world = new OperationWorld();
    world.later(2_000, over(OURS, { message: 'done' }));
    await world.run();
    expect(world.waits).toEqual(['the operation is Running']);
  });

  test('an Application that is made anew meanwhile is read at once', async () => {
    const world = new OperationWorld();
    world.later(9_000, { uid: 'uid-other', ...over(undefined, { phase: 'Failed' }) });
    expect((await world.run()).ms).toBe(9_000);
  });
});

describe('one that Argo CD overlooked', () => {
  const waiting = { operation: request(OURS), operationState: undefined };
  const after = {
    operation: request(OURS),
    operationState: operationState(request('run/app:a/0')),
  };

  test.each([
    ['the first one', waiting],
    ['one after another', after],
  ])('a comparison makes it look, asked for less and less often: %s', async (_, shown) => {
    const world = new OperationWorld(shown);
    world.later(60_000, over(OURS));
    await world.run();
    // Each takes 50 ms.
    expect(world.refreshed).toEqual([3_000, 9_050, 21_100, 45_150]);
  });

  test('something else that changes is no reason to ask', async () => {
    const world = new OperationWorld(waiting);
    world.later(1_000, { health: { status: 'Degraded', message: '', lastTransition: 't2' } });
    world.later(10_000, over(OURS));
    await world.run();
    expect(world.refreshed).toEqual([4_000]);
  });

  test('nothing is asked for once it is taken up', async () => {
    const world = new OperationWorld(waiting);
    world.later(4_000, underWay(OURS));
    world.later(60_000, over(OURS));
    await world.run();
    expect(world.refreshed).toEqual([3_000]);
  });

  test('nothing is asked for after its time', async () => {
    const world = new OperationWorld(waiting);
    await world.run();
    expect(Math.max(...world.refreshed)).toBeLessThan(300_000);
  });
});
