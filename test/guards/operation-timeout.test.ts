// When a sync takes too long, the run ends its own operation and never one of somebody else.
import { expect, test } from 'vitest';
import { operationState } from '../fakes/application.ts';
import { app, oneStack, outcomes, World } from '../fakes/run-world.ts';

const PLAN = oneStack(app('a', [], { timeouts: { sync: '2m', health: '2m' } }));
const FOREIGN = { infos: new Map<string, string>(), automated: false, username: 'somebody' };

/** Somebody has ended ours, and begun another one. */
function replace({ argocd }: World): void {
  const state = operationState({ ...FOREIGN, phase: 'Running', finishedAt: undefined });
  argocd.change('a', { operation: FOREIGN, operationState: state });
}

test('one of somebody else that runs in its place by then goes on', async () => {
  const world = new World({ a: { sync: 1_000 } });
  let asked = 0;
  world.applications.terminate = async (address) => {
    asked++;
    return await world.honest.terminate(address);
  };
  const running = world.start(PLAN);
  await world.clock.advance(60_000);
  replace(world);
  expect(outcomes(await world.clock.until(running))).toEqual({ a: 'failed' });
  expect([asked, world.argocd.view('a').operation]).toEqual([0, FOREIGN]);
});

test('one that takes its place at that moment goes on as well', async () => {
  const world = new World({ a: { sync: 1_000 } });
  let asked = 0;
  world.applications.terminate = async () => {
    asked++;
    replace(world);
    const message = 'No operation is in progress';
    return { kind: 'refused', reason: 'nothing-in-progress', message };
  };
  expect(outcomes(await world.run(PLAN))).toEqual({ a: 'failed' });
  expect([asked, world.argocd.view('a').operation]).toEqual([1, FOREIGN]);
});
