// Whole runs against an Argo CD in memory, in virtual time.
import { expect, test } from 'vitest';
import { outcomes, planOf, World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import type { ApplicationView } from '../../ports/application-view.ts';

const DIAMOND = planOf('base:', 'left: base', 'right: base', 'top: left right');
const FOUR = { base: {}, left: {}, right: {}, top: {} };

test('deploys in order, and a second run writes nothing', async () => {
  const world = new World(FOUR);
  const report = await world.run(DIAMOND);
  expect(world.order()).toBe('base left right top');
  expect(outcomes(report)).toEqual({
    base: 'healthy',
    left: 'healthy',
    right: 'healthy',
    top: 'healthy',
  });
  expect([report.exitStatus, report.held]).toEqual([0, []]);
  const again = await world.run(DIAMOND);
  expect(world.argocd.syncs).toHaveLength(4);
  expect(outcomes(again)).toEqual({
    base: 'unchanged',
    left: 'unchanged',
    right: 'unchanged',
    top: 'unchanged',
  });
  expect([again.exitStatus, world.argocd.projects.writes]).toEqual([0, 0]);
});

test('a dependent is requested at once when the last gate opens', async () => {
  const world = new World(FOUR);
  await world.run(DIAMOND);
  const opened = world.events.find((e) => e.type === 'gate.opened' && e.node === 'app:base');
  const asked = world.events.find((e) => e.type === 'node.sync-requested' && e.node === 'app:left');
  expect(asked?.time).toBe(opened?.time);
});

test('a failure skips what is behind it, with the cause, and nothing else', async () => {
  const world = new World({ ...FOUR, left: { becomes: 'Degraded' }, other: {} });
  const plan = planOf('base:', 'left: base', 'right: base', 'top: left right', 'other:');
  const report = await world.run(plan);
  expect(outcomes(report)).toEqual({
    base: 'healthy',
    left: 'failed',
    right: 'healthy',
    top: 'skipped',
    other: 'healthy',
  });
  expect(report.nodes.find(({ id }) => id === 'app:top')?.cause?.node).toBe('app:left');
  expect(report.exitStatus).toBe(2);
});

test('an operation that fails is tried again, three times in all', async () => {
  const world = new World({ a: { phases: ['Failed', 'Error', 'Succeeded'] } });
  const report = await world.run(planOf('a:'));
  expect(world.argocd.syncs.map(({ id }) => id.split('/').at(-1))).toEqual(['1', '2', '3']);
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  const hopeless = new World({ a: { phases: ['Failed'] } });
  const failed = await hopeless.run(planOf('a:'));
  expect([hopeless.argocd.syncs.length, failed.exitStatus]).toEqual([3, 1]);
});

test('Git that moves on during the operation leads to another sync that is no attempt', async () => {
  const world = new World({ a: { sync: 10 } });
  const running = world.start(planOf('a:'));
  await world.clock.advance(5_000);
  world.argocd.revision = 'rev-2';
  const report = await world.clock.until(running);
  expect(world.argocd.syncs.map(({ id }) => id.split('/').at(-1))).toEqual(['1', '1+1']);
  expect(report.nodes[0]).toMatchObject({ outcome: 'healthy', attempts: 1, revisions: ['rev-2'] });
});

test('a reply that is lost leads to no second operation', async () => {
  const world = new World({ a: {} });
  world.argocd.answers.push('lost');
  const report = await world.run(planOf('a:'));
  expect([world.argocd.syncs.length, report.exitStatus]).toEqual([1, 0]);
});

/** Whole seconds between its comparisons that were asked for, the short ones left out. */
async function longWaits(world: World): Promise<number[]> {
  const refreshes: number[] = [];
  world.applications.refresh = async (address) => {
    refreshes.push(world.clock.monotonic());
    return await world.honest.refresh(address);
  };
  expect(outcomes(await world.run(planOf('a')))).toMatchObject({ a: 'healthy' });
  const waits = refreshes.map((at, index) => at - (refreshes[index - 1] ?? 0));
  return waits.filter((wait) => wait >= 6_000).map((wait) => Math.round(wait / 1000));
}

test('a change that Argo CD has not heard of is asked for, and nothing before it', async () => {
  const world = new World({ a: { health: 25, unheard: true } });
  // 25 s to become Healthy and 2 s for Argo CD to tell, less one until the first look; then the dwell.
  expect(await longWaits(world)).toEqual([26, 10]);
});

test('where resources may not be watched, Argo CD is asked less and less often', async () => {
  const world = new World({ a: { health: 25, unheard: true } });
  world.argocd.followable = false;
  expect(await longWaits(world)).toEqual([10, 20, 10]);
});

test('a resource that changes all the time is asked for less and less often', async () => {
  const world = new World({ a: { health: 200 } });
  void (async () => {
    for (let at = 0; at < 200; at++) {
      await world.clock.sleep(1_000);
      world.argocd.stir('a');
    }
  })();
  expect(await longWaits(world)).toEqual([10, 20, 40, 80, 46, 10]);
});

test('a request that Argo CD overlooks is brought to its mind by a refresh', async () => {
  const world = new World({ a: { overlooked: true } });
  const report = await world.run(planOf('a:'));
  expect([world.argocd.syncs.length, report.exitStatus]).toEqual([1, 0]);
  expect(report.nodes[0]?.durations.sync).toBeLessThan(10);
});

test("another client's operation is waited for", async () => {
  const world = new World({ a: {} });
  const operation = { infos: new Map(), automated: false, username: 'somebody' };
  world.argocd.change('a', { operation });
  const running = world.start(planOf('a:'));
  await world.clock.advance(30_000);
  expect(world.argocd.syncs).toHaveLength(0);
  world.argocd.change('a', { operation: undefined });
  expect((await world.clock.until(running)).exitStatus).toBe(0);
  expect(world.argocd.syncs).toHaveLength(1);
});

test('a run that was killed goes on under its id and makes no second operation', async () => {
  const world = new World({ a: { sync: 30 } });
  const plan = planOf('a:');
  const first = world.start(plan);
  first.catch(() => {});
  await world.clock.advance(5_000);
  // Killed: nothing is released. Its lease is not renewed any more.
  world.abort.abort();
  await world.clock.advance(1_000);
  const lease = world.argocd.leases.peek('tiphys-shop');
  if (!lease) throw new Error('no lease');
  world.argocd.leases.put({
    ...lease,
    holder: 'dead',
    annotations: new Map([...lease.annotations, ['tiphys.dev/finished', 'false']]),
  });
  const report = await world.run(plan, { abort: new AbortController().signal });
  expect(world.argocd.syncs).toHaveLength(1);
  expect(outcomes(report)).toEqual({ a: 'healthy' });
});

test('the longest way goes first when slots are short', async () => {
  const plan = planOf('z-base:', 'a-alone:', 'b: z-base', 'c: b');
  const world = new World({ 'z-base': {}, 'a-alone': {}, b: {}, c: {} });
  await world.run(plan, { concurrency: 1 });
  expect(world.order()).toBe('z-base b a-alone c');
});

test('a gate that falls before a dependent starts is judged again', async () => {
  const world = new World({ base: {}, slow: { sync: 60 }, top: {} });
  const running = world.start(planOf('base:', 'slow:', 'top: base slow'));
  await world.clock.advance(40_000);
  world.argocd.turn('base', 'Degraded');
  await world.clock.advance(50_000);
  expect(world.events.some((e) => e.type === 'gate.closed' && e.node === 'app:base')).toBe(true);
  expect(world.order()).toBe('base slow');
  world.argocd.turn('base', 'Healthy');
  expect((await world.clock.until(running)).exitStatus).toBe(0);
  expect(world.order()).toBe('base slow top');
});

test('the first request to stop finishes what is in flight and starts nothing more', async () => {
  const world = new World(FOUR);
  const running = world.start(DIAMOND);
  await world.clock.advance(3_000);
  world.stop.abort();
  const report = await world.clock.until(running);
  expect(outcomes(report)).toEqual({
    base: 'healthy',
    left: 'skipped',
    right: 'skipped',
    top: 'skipped',
  });
  expect(report.exitStatus).toBe(2);
});

test("the run's time is up: status 4", async () => {
  const world = new World({ a: { sync: 100 } });
  const report = await world.run({ ...planOf('a:'), runTimeout: 20 });
  expect(report.exitStatus).toBe(4);
});

test('a sync that takes too long is terminated, and not tried again', async () => {
  const world = new World({ a: { sync: 1000 } });
  const report = await world.run(planOf('a:'));
  expect([world.argocd.syncs.length, report.exitStatus]).toEqual([1, 1]);
  expect(report.nodes[0]?.cause?.message).toContain('exceeded its timeout');
});

test('what syncs by itself is held before the first request, and handed over after its gate', async () => {
  const world = new World({
    base: { automated: true },
    top: { automated: true, becomes: 'Degraded' },
    last: {},
  });
  const report = await world.run(planOf('base:', 'top: base', 'last: top'));
  const held = world.events.flatMap((e) => (e.type === 'hold.changed' ? [e.held.join(' ')] : []));
  expect(held).toEqual(['base last top', 'last top']);
  const first = world.events.findIndex((e) => e.type === 'hold.changed');
  const request = world.events.findIndex((e) => e.type === 'node.sync-requested');
  expect(first).toBeLessThan(request);
  expect(report.held).toEqual(['app:top', 'app:last']);
});

test('a missing Application, a wrong project: refused before anything is written', async () => {
  const world = new World({ a: {} });
  world.argocd.change('a', { project: 'other' });
  const attempt = world.run(planOf('a:', 'b: a'));
  await expect(attempt).rejects.toThrow(TiphysError);
  await expect(attempt).rejects.toThrow(/belongs to project "other"[\s\S]*no Application "b"/);
  expect([world.argocd.syncs.length, world.argocd.leases.writes]).toEqual([0, 0]);
});

test('the end of the attempt before, shown by a server that lags behind, is not the end of this one', async () => {
  const world = new World({ a: { phases: ['Failed', 'Succeeded'], sync: 20 } });
  let old: ApplicationView | undefined;
  let lags = 0;
  world.applications.requestSync = async (address, request) => {
    old = world.argocd.view('a');
    const result = await world.honest.requestSync(address, request);
    lags = world.argocd.syncs.length === 2 ? 2 : 0;
    return result;
  };
  world.applications.get = async (address) => (lags-- > 0 ? old : await world.honest.get(address));
  const report = await world.run(planOf('a:'));
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  expect(world.argocd.syncs).toHaveLength(2);
});

test('an accepted request that never shows up is made again', async () => {
  const world = new World({ a: { phases: ['Failed', 'Succeeded'], sync: 2 } });
  const failed = () => world.events.filter(({ type }) => type === 'node.attempt-failed');
  world.applications.requestSync = async (address, request) =>
    failed().length === 1 ? { kind: 'done' } : await world.honest.requestSync(address, request);
  const report = await world.run(planOf('a:'));
  expect(outcomes(report)).toEqual({ a: 'healthy' });
  expect(failed()).toMatchObject([{}, { message: 'Argo CD lost the accepted request' }]);
});

test('an Application that a lagging server does not find, but the watch shows, was not deleted', async () => {
  const world = new World({ a: { sync: 20 } });
  let lags = 0;
  world.applications.requestSync = async (address, request) => {
    lags = 2;
    return await world.honest.requestSync(address, request);
  };
  world.applications.get = async (address) =>
    lags-- > 0 ? undefined : await world.honest.get(address);
  expect(outcomes(await world.run(planOf('a:')))).toEqual({ a: 'healthy' });
  expect(world.argocd.syncs).toHaveLength(1);
});
