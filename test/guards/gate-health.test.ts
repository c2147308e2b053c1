// What Healthy is worth: gates that fall again, how long Degraded is borne with, and the objects themselves.
import { describe, expect, test } from 'vitest';
import type { LiveResource } from '../../src/ports/application-view.ts';
import type { Report } from '../../src/report/run-report.ts';
import { resource } from '../fakes/application.ts';
import { app, causeOf, oneStack, outcomes, planOf, World } from '../fakes/run-world.ts';
import { MiniController } from '../fakes/workflow-controller.ts';

const WORLD = { a: {}, slow: { sync: 60 }, b: {} };

/** Until `a` is through its gate; `b`, which needs it, still waits for `slow`. */
async function started(world: World) {
  const running = world.start(planOf('a:', 'slow:', 'b: a slow'));
  const isThrough = () => world.events.some((one) => one.type === 'node.finished');
  while (!isThrough()) await world.clock.advance(100);
  return { running };
}

test('what is being deleted after its gate opened holds back what depends on it', async () => {
  const world = new World(WORLD);
  const { running } = await started(world);
  world.argocd.change('a', { deleting: true });
  const report = await world.clock.until(running);
  expect([outcomes(report), world.order()]).toEqual([
    { a: 'failed', slow: 'healthy', b: 'skipped' },
    'a slow',
  ]);
  expect(causeOf(report, 'app:b')).toMatchObject({
    ...{ node: 'app:a', message: expect.stringContaining('no longer passes its gate') },
  });
});

test('a gate that fell opens again by what Argo CD compared since then, twice, and not by what it saw before', async () => {
  const world = new World(WORLD);
  let looks: number | undefined;
  world.applications.refresh = async (address) => {
    if (address.name !== 'a' || looks === undefined) return await world.honest.refresh(address);
    // The first one is not carried out in time, and what the third one finds is true.
    await world.clock.sleep(50);
    if (++looks === 1) return await world.honest.get(address);
    if (looks === 3) world.argocd.turn('a', 'Degraded');
    return await world.honest.refresh(address);
  };
  const { running } = await started(world);
  looks = 0;
  world.argocd.turn('a', 'Progressing');
  world.argocd.turn('a', 'Healthy');
  const report = await world.clock.until(running);
  expect([outcomes(report), world.order()]).toEqual([
    { a: 'failed', slow: 'healthy', b: 'skipped' },
    'a slow',
  ]);
});

describe('after its gate, with one resource that may be OutOfSync', () => {
  const gate = { gate: { ignoreOutOfSync: ['CronJob/nightly'] } };
  const plan = oneStack(app('a', [], gate), app('slow'), app('b', ['a', 'slow']));

  test.each([
    ['that one', { kind: 'CronJob', name: 'nightly' }, 'a slow b'],
    ['another one', { kind: 'CronJob', name: 'weekly' }, 'a slow'],
  ])('%s drifts', async (_, names, order) => {
    const world = new World(WORLD);
    const running = world.start(plan);
    while (!world.events.some(({ type }) => type === 'node.finished'))
      await world.clock.advance(100);
    const { resources, sync } = world.argocd.view('a');
    world.argocd.change('a', {
      sync: { ...sync, status: 'OutOfSync' },
      resources: [...resources, resource({ ...names, status: 'OutOfSync' })],
    });
    await world.clock.until(running);
    expect(world.order()).toBe(order);
  });
});

const GRACE = oneStack(
  app('a', [], { retries: { maxAttempts: 1 }, gate: { degradedGrace: '30s', dwell: '0s' } }),
);

/** Degraded five seconds after the sync was asked for. */
async function degraded() {
  const world = new World({ a: { sync: 2, health: 3, becomes: 'Degraded' } });
  const running = world.start(GRACE);
  while (world.argocd.view('a').health.status !== 'Degraded') await world.clock.advance(100);
  return { world, running, since: world.clock.monotonic() };
}

test('what is Degraded for longer than its grace has failed, and not before', async () => {
  const { world, running, since } = await degraded();
  const report = await world.clock.until(running);
  expect([outcomes(report), report.exitStatus]).toEqual([{ a: 'failed' }, 1]);
  expect(causeOf(report, 'app:a')?.message).toContain('Degraded');
  const passed = world.clock.monotonic() - since;
  expect([passed >= 29_900, passed < 33_000]).toEqual([true, true]);
});

test('what recovers within it has not failed, and is not synced again', async () => {
  const { world, running } = await degraded();
  await world.clock.advance(28_000);
  world.argocd.turn('a', 'Healthy');
  const report = await world.clock.until(running);
  expect([outcomes(report), world.order()]).toEqual([{ a: 'healthy' }, 'a']);
});

const PAIR = planOf('a:', 'b: a');
const GOOD = { present: true, generation: 2, observedGeneration: 2, unfinishedJob: false };
const BAD: readonly (readonly [string, Partial<LiveResource>])[] = [
  ['is not in the cluster', { present: false }],
  ['has a spec that its controller has not seen', { observedGeneration: 1 }],
  ['is a Job that has not finished', { unfinishedJob: true }],
];

describe.each([
  ['embedded', (world: World): Promise<Report | undefined> => world.start(PAIR)],
  ['argo-workflows', async (world: World) => (await new MiniController(world, PAIR).run()).report],
] as const)('%s', (_, start) => {
  test.each(BAD)('an object that %s keeps the gate shut', async (_why, part) => {
    const world = new World({ a: {}, b: {} });
    world.argocd.plant('a', { ...GOOD, ...part });
    const running = start(world);
    await world.clock.advance(60_000);
    expect([world.argocd.view('a').health.status, world.order()]).toEqual(['Healthy', 'a']);
    world.argocd.plant('a', GOOD);
    const report = await world.clock.until(running);
    expect([report && outcomes(report), world.order()]).toEqual([
      { a: 'healthy', b: 'healthy' },
      'a b',
    ]);
  });
});
