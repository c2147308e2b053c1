// Nothing starts on a gate that has fallen, and no gate opens on too little proof.
import { expect, test } from 'vitest';
import {
  app,
  oneStack,
  outcomes,
  planFrom,
  planOf,
  stackOf,
  World,
} from '../../../test/fakes/run-world.ts';

const BEHIND_A_STACK = (application?: string) =>
  planFrom({
    stacks: [
      { name: 'data', ...(application && { application }), applications: [app('base')] },
      { name: 'other', applications: [app('slow')] },
      { name: 'web', dependsOn: ['stack:data'], applications: [app('top', ['slow'])] },
    ],
  });

const PAIR = { stacks: [{ name: 's', applications: [app('base'), app('top', ['base'])] }] };

test('a member that fell holds back what depends on its stack', async () => {
  const world = new World({ base: {}, slow: { sync: 60 }, top: {} });
  const running = world.start(BEHIND_A_STACK());
  await world.clock.advance(40_000);
  world.argocd.turn('base', 'Degraded');
  const report = await world.clock.until(running);
  expect(world.order()).toBe('base slow');
  expect(outcomes(report)).toEqual({ base: 'failed', slow: 'healthy', top: 'skipped' });
});

test.each(['base', 'parent'])(
  'a stack with its own Application of which only %s fell holds back what depends on it',
  async (name) => {
    const world = new World({ parent: {}, base: {}, slow: { sync: 120 }, top: {} });
    const running = world.start(BEHIND_A_STACK('parent'));
    await world.clock.advance(80_000);
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'gate.opened', node: 'close:stack:data' }),
    );
    world.argocd.turn(name, 'Degraded');
    const report = await world.clock.until(running);
    expect(world.order()).not.toContain('top');
    expect(outcomes(report)).toMatchObject({ slow: 'healthy', top: 'skipped' });
  },
);

test.each([1_500, 5_500])(
  'a second fall, %i ms into the judgement of the first, is not lost',
  async (when) => {
    const world = new World({ base: {}, slow: { sync: 60 }, top: {} });
    let pause = 0;
    world.applications.liveResources = async ({ name }) => {
      if (name === 'base') await world.clock.sleep(pause);
      return [];
    };
    const running = world.start(planOf('base:', 'slow:', 'top: base slow'));
    await world.clock.advance(40_000);
    pause = 3_000;
    world.argocd.turn('base', 'Degraded');
    await world.clock.advance(3_000);
    world.argocd.turn('base', 'Healthy');
    await world.clock.advance(when);
    world.argocd.turn('base', 'Degraded');
    await world.clock.advance(120_000);
    world.stop.abort();
    await world.clock.until(running);
    expect(world.order()).toBe('base slow');
  },
);

test('a dependency that falls between the start of a node and its request holds the request back', async () => {
  const world = new World({ parent: { sync: 1 }, base: {}, top: {} });
  let there = false;
  world.hide('top', () => there);
  const running = world.start(stackOf('parent', [app('base'), app('top', ['base'])]));
  await world.clock.advance(60_000);
  world.argocd.turn('base', 'Degraded');
  await world.clock.advance(120_000);
  there = true;
  world.argocd.change('top', {});
  await world.clock.advance(5_000);
  world.leaveNow();
  await world.clock.until(running);
  expect(world.order()).not.toContain('top');
});

test('that is so where nothing else waits for the dependency', async () => {
  const world = new World({ base: {}, top: {} });
  world.applications.syncWindows = async ({ name }) => {
    if (name === 'top') await world.clock.sleep(60_000);
    return [];
  };
  const running = world.start(planFrom(PAIR, { scope: ['app:base', 'app:top'] }));
  await world.clock.advance(40_000);
  world.argocd.turn('base', 'Degraded');
  const report = await world.clock.until(running);
  expect(world.order()).toBe('base');
  expect(outcomes(report)).toEqual({ base: 'failed', top: 'failed' });
});

test('a dependency that falls after a request that was not accepted holds the next one back', async () => {
  const world = new World({ base: {}, top: {} });
  let asked = 0;
  world.applications.requestSync = async (address, request) => {
    if (address.name !== 'top' || asked++ > 0)
      return await world.honest.requestSync(address, request);
    world.argocd.turn('base', 'Degraded');
    return { kind: 'unknown', message: 'no answer' };
  };
  const report = await world.run(planFrom(PAIR, { scope: ['app:base', 'app:top'] }));
  expect(asked).toBe(1);
  expect(outcomes(report)).toEqual({ base: 'failed', top: 'failed' });
});

test('what comes of a gate that is judged again after the end of the run is not told', async () => {
  const world = new World({ base: {}, slow: { sync: 600 }, top: {} });
  let pause = 0;
  world.applications.refresh = async (address) => {
    if (address.name === 'base') await world.clock.sleep(pause);
    return await world.honest.refresh(address);
  };
  const running = world.start(planOf('base:', 'slow:', 'top: base slow'));
  await world.clock.advance(40_000);
  pause = 60_000;
  world.argocd.turn('base', 'Degraded');
  await world.clock.advance(1_000);
  world.leaveNow();
  await world.clock.until(running);
  await world.clock.advance(120_000);
  expect(world.events.at(-1)).toMatchObject({ type: 'run.finished' });
});

test('what a late watch still shows of an object from before does not close its gate', async () => {
  const world = new World({ base: {}, slow: { sync: 60 }, top: {} });
  const isOpen = () =>
    world.events.some((event) => event.type === 'gate.opened' && event.node === 'app:base');
  world.last = (honest) => (address) => {
    const view = honest(address);
    return view && address.name === 'base' && isOpen()
      ? { ...view, uid: 'before', resourceVersion: '1' }
      : view;
  };
  let refreshes = 0;
  world.applications.refresh = async (address) => {
    if (address.name === 'base') refreshes++;
    return await world.honest.refresh(address);
  };
  await world.run(planOf('base:', 'slow:', 'top: base slow'));
  expect(refreshes).toBeLessThan(10);
});

test('the close of a parent that needed no sync is judged by two later comparisons', async () => {
  const world = new World({ parent: {}, a: {} });
  world.settle('parent');
  world.settle('a');
  const compared: number[] = [];
  world.applications.refresh = async (address) => {
    await world.honest.refresh(address);
    if (address.name === 'parent') compared.push(world.clock.monotonic());
  };
  await world.run(stackOf('parent', [app('a')]));
  const start = world.events.find((e) => e.type === 'node.started' && e.node === 'close:stack:s');
  const since = start ? world.timeOf(start) : Infinity;
  expect(compared.filter((at) => at > since).length).toBeGreaterThanOrEqual(2);
});

test('an application that Argo CD was told to skip is not synced, nor taken for Healthy', async () => {
  const world = new World({ a: {} });
  world.settle('a', { skipped: true });
  const report = await world.run(planOf('a:'));
  expect(outcomes(report)).toEqual({ a: 'failed' });
  expect(report.nodes[0]?.cause?.message).toContain('skip');
  expect(world.order()).toBe('');
});

test('an application that flaps ends with its health timeout', async () => {
  const world = new World({ a: { sync: 1, health: 1 } });
  const running = world.start(oneStack(app('a', [], { timeouts: { health: '2m', sync: '2m' } })));
  await world.clock.advance(4_000);
  const flap = async () => {
    for (let times = 0; times < 400; times++) {
      await world.clock.sleep(5_000);
      world.argocd.turn('a', 'Progressing');
      world.argocd.turn('a', 'Healthy');
    }
  };
  void flap();
  const report = await world.clock.until(running, 10_000_000);
  expect(outcomes(report)).toEqual({ a: 'failed' });
  expect(world.clock.monotonic()).toBeLessThan(200_000);
});
