// What keeps a gate shut, as a deployment shows it: no comparison that is missing, half, or from between two states.
import { describe, expect, test } from 'vitest';
import type { ApplicationView, OperationState } from '../../src/ports/application-view.ts';
import { operationState, resource } from '../fakes/application.ts';
import { app, causeOf, oneStack, outcomes, planOf, stackOf, World } from '../fakes/run-world.ts';

describe('ignoreOutOfSync', () => {
  const plan = oneStack(app('a', [], { gate: { ignoreOutOfSync: ['Deployment/a'] } }));

  test.each([
    ['OutOfSync', 'unchanged', ''],
    ['Unknown', 'healthy', 'a'],
  ])('where Argo CD says %s, it is %s', async (status, outcome, order) => {
    const world = new World({ a: {} });
    const sync = { status, revisions: [world.argocd.revision] };
    world.settle('a', { sync, resources: [resource({ name: 'a', status: 'OutOfSync' })] });
    const report = await world.run(plan);
    expect([outcomes(report), world.order()]).toEqual([{ a: outcome }, order]);
  });
});

test('of an Application with two sources, Git that moves on in the second leads to another sync', async () => {
  const world = new World({ a: { sync: 5 } });
  let [chart, deployed] = ['chart-1', 'none'];
  const both = (view: ApplicationView): ApplicationView => {
    const revisions = ['rev-1', chart];
    const state: OperationState | undefined = view.operationState && {
      ...view.operationState,
      revisions: ['rev-1', deployed],
    };
    const status = chart === deployed ? view.sync.status : 'OutOfSync';
    return { ...view, operationState: state, sync: { status, revisions } };
  };
  const { get, refresh, requestSync } = world.honest;
  const shown = (view: ApplicationView | undefined) => view && both(view);
  world.applications.get = async (address) => shown(await get(address));
  world.applications.refresh = async (address) => {
    await refresh(address);
    return shown(await get(address));
  };
  world.applications.requestSync = async (address, request) => {
    deployed = chart;
    chart = 'chart-2';
    return await requestSync(address, request);
  };
  const report = await world.run(planOf('a:'));
  expect(world.argocd.syncs.map(({ id }) => id.split('/').at(-1))).toEqual(['1', '1+1']);
  expect(report.nodes[0]).toMatchObject({ outcome: 'healthy', revisions: ['rev-1', 'chart-2'] });
});

test('a comparison that says nothing of the sync status is no newer commit', async () => {
  const world = new World({ a: {} });
  world.applications.refresh = async (address) => {
    const view = await world.honest.refresh(address);
    const isKnown = world.clock.monotonic() > 60_000 || !view?.operationState;
    return isKnown || !view ? view : { ...view, sync: { status: 'Unknown', revisions: ['main'] } };
  };
  const report = await world.run(planOf('a:'));
  expect([outcomes(report), world.order()]).toEqual([{ a: 'healthy' }, 'a']);
});

test('two good comparisons count only if nothing was wrong between them', async () => {
  const world = new World({ parent: {}, a: {} });
  world.settle('parent');
  world.settle('a');
  const seen: string[] = [];
  const toCome = ['Healthy', 'Progressing'];
  const isClosing = () =>
    world.events.some((event) => event.type === 'node.started' && event.node === 'close:stack:s');
  world.applications.refresh = async (address) => {
    if (address.name === 'parent' && isClosing()) {
      const status = toCome.shift() ?? 'Healthy';
      world.argocd.turn('parent', status);
      seen.push(status);
    }
    return await world.honest.refresh(address);
  };
  const report = await world.run(stackOf('parent', [app('a')]));
  expect(report.exitStatus).toBe(0);
  expect(seen).toEqual(['Healthy', 'Progressing', 'Healthy', 'Healthy']);
});

test('the grace of what is Degraded is counted from when it became so', async () => {
  const world = new World({ a: { becomes: 'Degraded' } });
  const gate = { degradedGrace: '1m' };
  const running = world.start(oneStack(app('a', [], { gate, retries: { maxAttempts: 1 } })));
  // Something is told of it all the time.
  void (async () => {
    for (let at = 0; at < 100; at++) {
      await world.clock.sleep(5_000);
      world.argocd.stir('a');
    }
  })();
  const report = await world.clock.until(running);
  expect(causeOf(report, 'app:a')?.message).toBe('health is Degraded');
  expect(world.clock.monotonic()).toBeLessThan(90_000);
});

test('the health timeout is counted once for the node, however often it is tried', async () => {
  const world = new World({ a: { becomes: 'Degraded' } });
  const gate = { degradedGrace: '30s' };
  const timeouts = { sync: '1m', health: '50s' };
  const retries = { maxAttempts: 3, backoff: '1s' };
  const report = await world.run(oneStack(app('a', [], { gate, timeouts, retries })));
  expect(causeOf(report, 'app:a')?.message).toContain('not Healthy within 50s (timeouts.health)');
  expect(world.argocd.syncs).toHaveLength(2);
});

test('an operation of somebody that fails after ours does not stand for it: it is tried again', async () => {
  const world = new World({ a: { health: 20 } });
  const running = world.start(planOf('a:'));
  await world.clock.advance(5_000);
  const finishedAt = Math.floor(world.clock.now() / 1000);
  world.argocd.change('a', {
    operationState: operationState({ infos: new Map(), phase: 'Failed', finishedAt }),
  });
  const report = await world.clock.until(running, 300_000);
  expect([outcomes(report), world.argocd.syncs.length]).toEqual([{ a: 'healthy' }, 2]);
});
