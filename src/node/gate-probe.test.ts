// The probe at one gate: when a Job is made, how often, and what its result counts for.
import { describe, expect, test } from 'vitest';
import { NodeWorld, unreachable } from '../../test/fakes/node-world.ts';
import { end, ProbeWorld } from '../../test/fakes/probe-world.ts';
import { BAD } from '../../test/fakes/probes.ts';
import { GateProbe } from './gate-probe.ts';

test('a gate without one has none', () => {
  expect(GateProbe.of(new NodeWorld().context)).toBeUndefined();
});

test('what was answered, and when it was known', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  expect(probe.resultOn(world.view)).toBeUndefined();
  world.probes.ends.push(end({ seconds: 3 }));
  expect(await world.step(probe)).toBe(3_000);
  const at = new Date(world.clock.now()).toISOString();
  expect(probe.resultOn(world.view)).toEqual({
    ...{ succeeded: true, target: 'a:1', message: 'fine', at, tries: 1 },
  });
  expect(probe.isSpent).toBe(false);
});

test.each([
  [end({ message: '' }), 'succeeded'],
  [{ ...BAD, message: '' }, 'failed'],
])('one that says nothing', async (given, message) => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.ends.push(given);
  await world.step(probe);
  expect(probe.resultOn(world.view)?.message).toBe(message);
});

test('pauses grow between tries, and everything can be looked at after each', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.usual = BAD;
  await world.step(probe);
  const pauses: number[] = [];
  for (let tries = 0; tries < 5; tries++) pauses.push(await world.next(probe));
  expect(pauses).toEqual([5_000, 10_000, 20_000, 30_000, 30_000]);
  expect([probe.resultOn(world.view)?.tries, world.probes.made.length]).toEqual([6, 6]);
  expect(new Set(world.probes.made.map(({ request }) => request.name)).size).toBe(6);
  expect(probe.isSpent).toBe(false);
});

test('a pause ends with the time of the gate', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.usual = BAD;
  await world.step(probe);
  const now = world.clock.monotonic();
  expect(await world.step(probe, now + 2_000)).toBe(2_000);
});

describe('once', () => {
  test('is spent by a failure', async () => {
    const world = new ProbeWorld();
    const probe = world.make('once');
    world.probes.ends.push(BAD);
    expect(probe.isSpent).toBe(false);
    await world.step(probe);
    expect(probe.isSpent).toBe(true);
  });

  test('is not spent by a success, nor by what was forgotten', async () => {
    const world = new ProbeWorld();
    const probe = world.make('once');
    await world.step(probe);
    expect(probe.isSpent).toBe(false);
    probe.forget();
    expect([probe.isSpent, probe.resultOn(world.view)]).toEqual([false, undefined]);
  });
});

test.each([
  ['health', { health: { status: 'Healthy', message: '', lastTransition: 't9' } }],
  ['spec', { wanted: 'spec-2' }],
  ['uid', { uid: 'other' }],
])('a result is of the past where its %s is another one', async (_, part) => {
  const world = new ProbeWorld();
  const probe = world.make();
  await world.step(probe);
  const before = world.view;
  world.change(part);
  expect(probe.resultOn(world.view)).toBeUndefined();
  expect(probe.resultOn(before)).toBeDefined();
  await world.step(probe);
  expect(world.probes.made).toHaveLength(2);
  expect(probe.resultOn(world.view)?.tries).toBe(2);
});

test('an operation since makes it one of the past, a commit that was compared with does not', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  await world.step(probe);
  world.change({ sync: { status: 'Synced', revisions: ['rev-9'] } });
  expect(probe.resultOn(world.view)).toBeDefined();
  const { operationState } = world.view;
  if (!operationState) throw new Error('no operation');
  world.change({ operationState: { ...operationState, finishedAt: 200 } });
  expect(probe.resultOn(world.view)).toBeUndefined();
});

test('one that takes too long has failed, and the gate goes on', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.ends.push(end({ seconds: 3_600 }));
  expect(await world.step(probe)).toBe(80_000);
  expect(probe.resultOn(world.view)).toMatchObject({
    ...{ succeeded: false, message: 'the Job did not finish in time' },
  });
});

test('what kept it from getting on is asked once, when it is given up', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.ends.push(end({ seconds: 3_600 }));
  world.probes.trouble = 'ErrImagePull: no such';
  await world.step(probe);
  expect(probe.resultOn(world.view)?.message).toBe(
    'the Job did not finish in time: ErrImagePull: no such',
  );
  expect(world.probes.troubles).toEqual([world.probes.made[0]?.request.name]);
});

test('one that the time of the gate cuts short tells less than the one before it', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.ends.push(BAD, end({ seconds: 60 }));
  await world.step(probe);
  await world.next(probe, world.clock.monotonic() + 10_000);
  expect(probe.resultOn(world.view)).toMatchObject({ succeeded: false, message: BAD.message });
  const fresh = new ProbeWorld();
  const cut = fresh.make();
  fresh.probes.ends.push(end({ seconds: 60 }));
  expect(await fresh.step(cut, fresh.clock.monotonic() + 10_000)).toBe(10_000);
  expect(cut.resultOn(fresh.view)).toMatchObject({
    ...{ succeeded: false, message: 'the Job did not finish in time' },
  });
});

test('a Job that somebody deletes is made again', async () => {
  const world = new ProbeWorld();
  const probe = world.make();
  world.probes.ends.push(end({ seconds: 60 }));
  const run = probe.proceed(world.view, 300_000);
  await world.clock.advance(10_000);
  world.probes.clear();
  await world.clock.until(run);
  expect(world.probes.made).toHaveLength(2);
  expect(probe.resultOn(world.view)?.succeeded).toBe(true);
});

test('a cluster that cannot be reached is asked again; one that refuses says why', async () => {
  const world = new ProbeWorld();
  const { get } = world.probes.api;
  let fails = 3;
  Object.assign(world.probes.api, {
    get: async (name: string) => {
      if (fails-- > 0) throw unreachable();
      return await get(name);
    },
  });
  const probe = world.make();
  await world.step(probe);
  expect(probe.resultOn(world.view)?.succeeded).toBe(true);
  probe.forget();
  world.probes.answers.push({ kind: 'refused', reason: 'forbidden', message: 'no right' });
  await world.step(probe);
  expect(probe.resultOn(world.view)?.message).toBe('the Job was refused: no right');
});

test.each([
  ['longer than a try fails nothing while the gate has time', 129_000, 1],
  ['so long that the end may be of long ago makes another Job', 130_000, 2],
])('an outage %s', async (_, until, jobs) => {
  const world = new ProbeWorld();
  const { get } = world.probes.api;
  world.probes.ends.push(end({ seconds: 30 }));
  Object.assign(world.probes.api, {
    get: async (name: string) => {
      const now = world.clock.monotonic();
      if (now > 10_000 && now < until) throw unreachable();
      return await get(name);
    },
  });
  const probe = world.make();
  await world.step(probe);
  expect(probe.resultOn(world.view)).toMatchObject({ succeeded: true, tries: 1 });
  expect(world.probes.made).toHaveLength(jobs);
});

test('an outage beyond the time of the gate is its failure', async () => {
  const world = new ProbeWorld();
  Object.assign(world.probes.api, { get: () => Promise.reject(unreachable()) });
  const tried = world.make().proceed(world.view, 200_000);
  tried.catch(() => undefined);
  await world.clock.advance(199_000);
  await expect(world.clock.until(tried)).rejects.toThrow('no route');
  expect(world.clock.monotonic()).toBe(200_000);
});
