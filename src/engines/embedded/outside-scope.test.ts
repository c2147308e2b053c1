// What a scope depends on outside of it must be Healthy when a dependent starts, not only when the run began.
import { expect, test } from 'vitest';
import { app, outcomes, planFrom, World } from '../../../test/fakes/run-world.ts';
import { requireHealthy } from '../inspect/required-gates.ts';

const SPEC = {
  stacks: [
    { name: 'data', applications: [app('base')] },
    { name: 'web', dependsOn: ['stack:data'], applications: [app('first'), app('top', ['first'])] },
  ],
};
const WEB = planFrom(SPEC, { scope: ['stack:web'] });

async function begun() {
  const world = new World({ base: {}, first: { sync: 30 }, top: {} });
  world.settle('base');
  const { target, clock } = world;
  const { signal } = new AbortController();
  const parts = { target, clock, signal, concurrency: 1 };
  const required = await clock.until(requireHealthy(WEB, planFrom(SPEC), parts));
  const running = world.start(WEB, { required });
  await clock.advance(10_000);
  return { world, running };
}

test('one that fell meanwhile holds back what has not begun, until it is Healthy again', async () => {
  const { world, running } = await begun();
  world.argocd.turn('base', 'Degraded');
  await world.clock.advance(50_000);
  expect(world.order()).toBe('first');
  world.argocd.turn('base', 'Healthy');
  const report = await world.clock.until(running);
  expect(world.order()).toBe('first top');
  expect([outcomes(report), report.exitStatus]).toEqual([{ first: 'healthy', top: 'healthy' }, 0]);
});

test('one that does not come back is the cause of what is skipped', async () => {
  const { world, running } = await begun();
  world.argocd.turn('base', 'Degraded');
  const report = await world.clock.until(running);
  expect(outcomes(report)).toEqual({ first: 'healthy', top: 'skipped' });
  expect(report.nodes.find(({ id }) => id === 'app:top')?.cause?.node).toBe('app:base');
});
