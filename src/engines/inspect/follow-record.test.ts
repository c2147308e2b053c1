// Following a run of another terminal: its end is that of the run, whatever its record had before.
import { expect, test } from 'vitest';
import { app, oneStack, World } from '../../../test/fakes/run-world.ts';
import type { RunEvent } from '../../run/events.ts';
import { followRecord } from './follow-record.ts';

const plan = oneStack(app('a'), app('b', ['a']));

function following(world: World) {
  const events: RunEvent[] = [];
  const listen = (event: RunEvent) => void events.push(event);
  const { signal } = new AbortController();
  const { clock, target } = world;
  return { events, report: followRecord({ plan, run: 'one', target, clock, listen, signal }) };
}

async function interruptedWorld(): Promise<World> {
  const world = new World({ a: { health: 1 }, b: {} });
  const interrupted = world.start(plan, { runId: 'one' });
  await world.clock.advance(1_000);
  world.stop.abort();
  expect((await world.clock.until(interrupted)).exitStatus).toBe(2);
  return world;
}

test('the end of an interrupted run is not that of the run that resumes it', async () => {
  const world = await interruptedWorld();
  // Its record comes late.
  const { store } = world.target;
  world.part.store = {
    ...store,
    put: async (text, mayWrite) => {
      await world.clock.sleep(6_000);
      return await store.put(text, mayWrite);
    },
  };
  const never = new AbortController().signal;
  const resumed = world.start(plan, { holder: 'second', stop: never, abort: never });
  await world.clock.advance(1_000);
  const { events, report } = following(world);
  expect((await world.clock.until(report)).exitStatus).toBe(0);
  expect((await world.clock.until(resumed)).exitStatus).toBe(0);
  expect(events[0]).toMatchObject({ type: 'run.started', resumed: true });
  expect(events.filter(({ type }) => type === 'run.finished')).toHaveLength(1);
});

test('of a run that has ended meanwhile, the end is told', async () => {
  const world = await interruptedWorld();
  const { events, report } = following(world);
  expect((await world.clock.until(report)).exitStatus).toBe(2);
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', reason: 'interrupted' });
});
