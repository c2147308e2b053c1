import { expect, test } from 'vitest';
import { operationState } from '../../../test/fakes/application.ts';
import { outcomes, planOf, World } from '../../../test/fakes/run-world.ts';
import { validate } from './validate-platform.ts';

const PLAN = planOf('a:');

function validated(world: World) {
  const { target, clock } = world;
  const { signal } = new AbortController();
  const parts = { target, clock, signal, concurrency: 1, refresh: true };
  return clock.until(validate(PLAN, parts));
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
