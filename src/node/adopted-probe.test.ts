// Jobs of a probe that were there before: which of them counts for a process that goes on with the node.
import { describe, expect, test } from 'vitest';
import { end, ProbeWorld } from '../../test/fakes/probe-world.ts';
import { BAD } from '../../test/fakes/probes.ts';

test('another process finds the Job of the first, also where both are at it', async () => {
  const world = new ProbeWorld();
  world.probes.ends.push(end({ seconds: 30 }));
  const [first, second] = [world.make(), world.make()];
  const both = [first, second].map((one) => one.proceed(world.view, 300_000));
  await world.clock.until(Promise.all(both));
  await world.step(world.make());
  expect(world.probes.made).toHaveLength(1);
  for (const one of [first, second]) expect(one.resultOn(world.view)?.succeeded).toBe(true);
});

test('what ended long before anybody looked says nothing of now', async () => {
  const world = new ProbeWorld();
  await world.step(world.make());
  await world.clock.advance(120_000);
  await world.step(world.make());
  expect(world.probes.made).toHaveLength(1);
  world.probes.usual = BAD;
  await world.clock.advance(1_001);
  const later = world.make();
  await world.step(later);
  expect([world.probes.made.length, later.resultOn(world.view)?.succeeded]).toEqual([2, false]);
});

describe('a process that goes on', () => {
  /** A good one, something falls, and one that is not good: the process goes. */
  async function fallen(): Promise<ProbeWorld> {
    const world = new ProbeWorld();
    const probe = world.make();
    world.probes.ends.push(end({}), BAD);
    await world.step(probe);
    probe.forget();
    await world.step(probe);
    return world;
  }

  test('takes the last of the Jobs that have ended, not the first', async () => {
    const world = await fallen();
    const next = world.make();
    await world.step(next);
    expect(next.resultOn(world.view)).toMatchObject({ succeeded: false, tries: 1 });
    expect(world.probes.made).toHaveLength(2);
  });

  test('waits for the last one where that still runs', async () => {
    const world = new ProbeWorld();
    const probe = world.make();
    world.probes.ends.push(end({}), { ...BAD, seconds: 30 });
    await world.step(probe);
    probe.forget();
    void probe.proceed(world.view, 300_000);
    await world.clock.advance(5_000);
    const next = world.make();
    await world.step(next);
    expect([next.resultOn(world.view)?.succeeded, world.probes.made.length]).toEqual([false, 2]);
  });

  test('asks anew after it has asked once, also where another process was quicker', async () => {
    const world = await fallen();
    const [first, second] = [world.make(), world.make()];
    await world.step(first);
    await world.step(second);
    await world.next(first);
    expect(world.probes.made).toHaveLength(3);
    world.probes.usual = BAD;
    await world.next(second);
    expect([second.resultOn(world.view)?.succeeded, world.probes.made.length]).toEqual([false, 4]);
  });
});

test('a state that comes back is asked about anew', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  const { wanted } = world.view;
  await world.step(probe);
  world.change({ wanted: 'spec-2' });
  await world.step(probe);
  world.change({ wanted });
  world.probes.usual = BAD;
  await world.step(probe);
  expect([probe.resultOn(world.view)?.succeeded, world.probes.made.length]).toEqual([false, 3]);
});
