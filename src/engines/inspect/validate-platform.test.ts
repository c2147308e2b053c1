import { expect, test } from 'vitest';
import { operationState } from '../../../test/fakes/application.ts';
import { app, outcomes, planFrom, planOf, World } from '../../../test/fakes/run-world.ts';
import { validate } from './validate-platform.ts';

const PLAN = planOf('a:');

function validated(world: World, plan = PLAN, refresh = true) {
  const { target, clock } = world;
  const { signal } = new AbortController();
  const parts = { target, clock, signal, concurrency: 1, refresh };
  return clock.until(validate(plan, parts));
}

test('an application whose last operation failed has failed, though it is Synced and Healthy', async () => {
  const world = new World({ a: {} });
  world.settle('a');
  expect((await validated(world)).exitStatus).toBe(0);
  const failed = operationState({ phase: 'Failed', message: 'a hook failed', infos: new Map() });
  world.settle('a', { operationState: failed });
  const validation = await validated(world);
  expect([validation.state, validation.exitStatus]).toEqual(['Failed', 1]);
  expect(validation.nodes[0]?.unmet?.message).toContain('a hook failed');
  expect(outcomes(await world.run(PLAN))).toEqual({ a: 'healthy' });
  expect((await validated(world)).exitStatus).toBe(0);
});

test('without a refresh of its own, one that somebody else has asked for does not matter', async () => {
  const world = new World({ a: {} });
  world.settle('a', { refreshPending: true });
  expect((await validated(world, PLAN, false)).state).toBe('Healthy');
});

test('a stack adds up what is inside of it, however deep', async () => {
  const plan = planFrom({
    stacks: [
      { name: 'outer', applications: [] },
      { name: 'middle', parent: 'outer', applications: [app('a')] },
      { name: 'inner', parent: 'middle', applications: [app('b')] },
      { name: 'beside', applications: [app('c')] },
      { name: 'empty', applications: [] },
    ],
  });
  const world = new World({ a: {}, b: {}, c: {} });
  for (const name of ['a', 'c']) world.settle(name);
  const health = { status: 'Degraded', message: '', lastTransition: 't' };
  world.settle('b', { health });
  expect((await validated(world, plan)).stacks).toEqual([
    { name: 'beside', state: 'Healthy' },
    { name: 'inner', state: 'Degraded' },
    { name: 'middle', state: 'Degraded' },
    { name: 'outer', state: 'Degraded' },
  ]);
  world.settle('b');
  world.settle('a', { health });
  expect((await validated(world, plan)).stacks).toContainEqual({ name: 'inner', state: 'Healthy' });
});
