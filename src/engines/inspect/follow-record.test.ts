import { expect, test } from 'vitest';
import { app, planFrom, World } from '../../../test/fakes/run-world.ts';
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
  await expect(world.clock.until(following('gone'))).rejects.toThrow('nobody continues it');
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
