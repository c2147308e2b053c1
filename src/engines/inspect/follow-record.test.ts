import { expect, test } from 'vitest';
import { app, planFrom, World } from '../../../test/fakes/run-world.ts';
import { EXIT } from '../../errors.ts';
import { followRecord } from './follow-record.ts';

const PLAN = planFrom({ stacks: [{ name: 's', applications: [app('a')] }] });

function place() {
  const world = new World({ a: { health: 60 } });
  const { clock, target } = world;
  const told: string[] = [];
  const following = (run: string, signal = new AbortController().signal) =>
    followRecord({ plan: PLAN, run, target, clock, listen: ({ type }) => told.push(type), signal });
  return { world, told, following };
}

async function interruptedPlace() {
  const all = place();
  const { world } = all;
  const interrupted = world.start(PLAN, { runId: 'one' });
  await world.clock.advance(1_000);
  world.stop.abort();
  expect((await world.clock.until(interrupted)).exitStatus).toBe(EXIT.partial);
  return all;
}

test('tells each event once, to the report', async () => {
  const { world, told, following } = place();
  const report = world.start(PLAN);
  await world.clock.advance(10_000);
  const followed = await world.clock.until(following(world.events[0]?.run ?? ''));
  expect(followed.exitStatus).toBe((await report).exitStatus);
  expect(told).toEqual(world.events.map(({ type }) => type));
});

test('a run whose process has ended is not followed for ever', async () => {
  const { world, following } = place();
  await expect(world.clock.until(following('gone'))).rejects.toThrow('it was killed');
});

test('whoever has seen enough goes', async () => {
  const { world, following } = place();
  void world.start(PLAN).catch(() => undefined);
  await world.clock.advance(5_000);
  const enough = new AbortController();
  const followed = following(world.events[0]?.run ?? '', enough.signal).catch(String);
  await world.clock.advance(3_000);
  enough.abort();
  expect(await world.clock.until(followed)).toContain('nterrupted');
});

test('the end of an interrupted run is not that of the run that resumes it', async () => {
  const { world, told, following } = await interruptedPlace();
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
  const resumed = world.start(PLAN, { holder: 'second', stop: never, abort: never });
  await world.clock.advance(1_000);
  expect((await world.clock.until(following('one'))).exitStatus).toBe(EXIT.ok);
  expect((await world.clock.until(resumed)).exitStatus).toBe(EXIT.ok);
  expect(told.filter((type) => type === 'run.started' || type === 'run.finished')).toEqual([
    'run.started',
    'run.finished',
  ]);
});

test('the end of a run that ended before it was followed is told', async () => {
  const { world, told, following } = await interruptedPlace();
  expect((await world.clock.until(following('one'))).exitStatus).toBe(EXIT.partial);
  expect(told.at(-1)).toBe('run.finished');
});
