// Told to stop, told to leave, robbed of its hold: what a run still does then, and what it does not.
import { expect, test } from 'vitest';
import { app, oneStack, outcomes, planOf, World } from '../../../test/fakes/world.ts';

test('told to stop while it is still beginning, a run starts nothing', async () => {
  const world = new World({ a: {}, b: {} });
  world.part.list = async (namespaces) => {
    await world.clock.sleep(2_000);
    return await world.argocd.target.list(namespaces);
  };
  const running = world.start(planOf('a:', 'b: a'));
  await world.clock.advance(500);
  world.stop.abort();
  expect((await world.clock.until(running)).exitStatus).toBe(2);
  expect(world.order()).toBe('');
});

test('told to leave, a run sends no request any more', async () => {
  const world = new World({ a: {} });
  world.applications.syncWindows = async () => {
    await world.clock.sleep(3_000);
    return [];
  };
  const running = world.start(planOf('a:'));
  await world.clock.advance(1_000);
  world.leave.abort();
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
