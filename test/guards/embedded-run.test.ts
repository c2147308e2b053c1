// What the embedded engine does about gates that fall again, and about its own time.
import { expect, test } from 'vitest';
import { app, causeOf, outcomes, planFrom, planOf, World } from '../fakes/world.ts';

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
    ...{ node: 'app:a', message: expect.stringContaining('fell after its gate had opened') },
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

test('a run whose time is up ends then, whatever it has under way', async () => {
  const world = new World({ a: { sync: 200 }, b: {} });
  const stacks = [{ name: 's', applications: [app('a'), app('b', ['a'])] }];
  const report = await world.run(planFrom({ timeouts: { run: '1m' }, stacks }));
  expect([report.exitStatus, outcomes(report)]).toEqual([4, { a: 'failed', b: 'skipped' }]);
  expect(world.clock.monotonic()).toBeLessThan(70_000);
});
