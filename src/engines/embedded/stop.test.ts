// Told to stop, told to abort, robbed of its hold: what a run still does then, and what it does not.
import { expect, test } from 'vitest';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, causeOf, oneStack, outcomes, planOf, World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';

const exitOf = (error: unknown) => (error instanceof TiphysError ? error.exitStatus : undefined);

const AUTOMATED = { automated: true };

test('told to stop before it began, a run is interrupted and has written nothing', async () => {
  const world = new World({ a: {}, b: {} });
  world.applications.list = async (namespaces) => {
    await world.clock.sleep(2_000);
    return await world.honest.list(namespaces);
  };
  const running = failure(world.start(planOf('a:', 'b: a')));
  await world.clock.advance(500);
  world.stop.abort();
  const error = await world.clock.until(running);
  expect([codeOf(error), exitOf(error)]).toEqual(['interrupted', 2]);
  expect([world.order(), world.argocd.leases.writes]).toEqual(['', 0]);
});

test.each(['stop', 'abort'] as const)(
  '%s while waiting for the Lease is an interruption',
  async (asked) => {
    const world = new World({ a: {} });
    const lease = { name: 'tiphys-shop', durationSeconds: 15, renewTime: '', transitions: 0 };
    world.argocd.leases.put({ ...lease, holder: 'dead', annotations: new Map() });
    const running = failure(world.start(planOf('a:')));
    await world.clock.advance(3_000);
    world[asked].abort();
    const error = await world.clock.until(running);
    expect([codeOf(error), exitOf(error)]).toEqual(['interrupted', 2]);
    expect(world.argocd.leases.writes).toBe(0);
  },
);

test('told to stop before the hold is up, a run does not put it up', async () => {
  const world = new World({ a: AUTOMATED });
  world.watches.applications = async (...given) => {
    await world.clock.sleep(2_000);
    return await world.argocd.target.watches.applications(...given);
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(500);
  world.stop.abort();
  const report = await world.clock.until(running);
  expect([report.exitStatus, world.order(), world.argocd.projects.writes]).toEqual([2, '', 0]);
});

test('told to stop while it looks whether anything is to do, a run begins nothing', async () => {
  const world = new World({ a: AUTOMATED });
  world.settle('a');
  const running = world.start(planOf('a:'));
  await world.clock.advance(100);
  world.stop.abort();
  world.argocd.turn('a', 'Degraded');
  world.argocd.change('a', { sync: { status: 'OutOfSync', revisions: ['rev-2'] } });
  const report = await world.clock.until(running);
  expect(causeOf(report, 'app:a')?.message).toContain('interrupted');
  expect([report.exitStatus, world.order(), world.argocd.projects.writes]).toEqual([2, '', 0]);
});

const down = () => new TiphysError([{ code: 'argocd-unreachable', message: 'down', hint: '' }]);

test('told to abort, a run ends within five seconds, though nobody answers', async () => {
  const world = new World({ a: { ...AUTOMATED, sync: 1, health: 1 }, b: { sync: 100 } });
  const { projects, leases, store } = world.argocd.target;
  let silent = false;
  const answer = async <T>(task: () => Promise<T>): Promise<T> => {
    if (!silent) return await task();
    await world.clock.sleep(60_000);
    throw down();
  };
  world.part.projects = { ...projects, get: (name) => answer(() => projects.get(name)) };
  world.part.leases = { ...leases, get: (name) => answer(() => leases.get(name)) };
  world.part.store = { ...store, list: (labels) => answer(() => store.list(labels)) };
  world.applications.get = (address) => answer(() => world.honest.get(address));
  world.applications.refresh = (address) => answer(() => world.honest.refresh(address));
  const running = world.start(planOf('a:', 'b:'));
  await world.clock.advance(10_000);
  silent = true;
  await world.clock.advance(4_000);
  world.leaveNow();
  const told = world.clock.monotonic();
  const report = await world.clock.until(running);
  expect(world.clock.monotonic() - told).toBeLessThanOrEqual(5_000);
  expect(report.exitStatus).toBe(2);
  const before = world.events.length;
  await world.clock.advance(400_000);
  expect(world.events).toHaveLength(before);
});

test('told to abort, a run sends no request any more', async () => {
  const world = new World({ a: {} });
  world.applications.syncWindows = async () => {
    await world.clock.sleep(3_000);
    return [];
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(1_000);
  world.abort.abort();
  await world.clock.until(running);
  expect(world.order()).toBe('');
});

test('robbed of its hold, a run sends no request any more, and does not claim to hold anything', async () => {
  const world = new World({ a: { automated: true, sync: 1 }, b: { automated: true } });
  world.applications.syncWindows = async ({ name }) => {
    if (name === 'b') await world.clock.sleep(30_000);
    return [];
  };
  const running = world.start(planOf('a:', 'b:'));
  await world.clock.advance(3_000);
  world.edit({ windows: [] });
  const report = await world.clock.until(running);
  expect(world.order()).toBe('a');
  expect([report.exitStatus, report.held]).toEqual([2, []]);
});

test('told to stop, a run does not wait for a gate that nobody needs any more', async () => {
  const world = new World({ base: { sync: 1 }, slow: { sync: 60 }, top: {} });
  const patient = { gate: { degradedGrace: '1h' }, timeouts: { health: '1h' } };
  const plan = oneStack(app('base', [], patient), app('slow'), app('top', ['base', 'slow']));
  const running = world.start(plan);
  await world.clock.advance(40_000);
  world.argocd.turn('base', 'Progressing');
  await world.clock.advance(1_000);
  world.stop.abort();
  const report = await world.clock.until(running, 7_200_000);
  expect(world.clock.monotonic()).toBeLessThan(200_000);
  expect(outcomes(report)).toMatchObject({ slow: 'healthy', top: 'skipped' });
});
