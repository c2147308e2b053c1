// Waiting at a gate: when it opens, when it is given up, and how often anybody is asked meanwhile.
import { describe, expect, test } from 'vitest';
import { resource } from '../../test/fakes/application.ts';
import { bad, GateWorld, health, ID, WITHOUT } from '../../test/fakes/gate-world.ts';
import { unreachable } from '../../test/fakes/node-world.ts';
import { timeUntil } from './sync-time.ts';

describe('it opens', () => {
  test('after the dwell, with the evidence from after it', async () => {
    const world = new GateWorld();
    const { result, ms } = await world.run();
    expect(result).toMatchObject({
      kind: 'open',
      evidence: { operation: ID, reconciledAt: world.end + 11 },
      dwellMs: 10_000,
    });
    expect(ms).toBe(11_100);
    expect(world.waits).toEqual(['healthy; confirming for 10s']);
    expect(world.stages).toEqual(['dwelling']);
  });

  test.each([
    // Comparisons are told apart by whole seconds: one in the second of the end would be in vain.
    ['in the second of the end', 0, 1_000],
    ['later in it', 600, 400],
    ['a second later', 1_000, 0],
    ['long after it', 20_000, 0],
  ])('asking for a comparison when one can count: %s', async (_, after, first) => {
    const world = new GateWorld();
    world.clock.pause(after);
    await world.run();
    expect(world.asked[0]).toBe(after + first);
  });

  test('an end in the future, by the clock of Argo CD, is not waited for longer than a second', async () => {
    const world = new GateWorld();
    world.clock.jump(-60_000);
    const running = world.start();
    await world.clock.advance(1_000);
    expect(world.asked).toEqual([1_000]);
    world.stop.abort();
    await expect(world.clock.until(running)).rejects.toThrow();
  });

  test('without an operation, at the second later comparison, with no dwell', async () => {
    const world = new GateWorld();
    world.clock.pause(5_000);
    const { result, ms } = await world.run(WITHOUT);
    expect(result).toMatchObject({ kind: 'open', evidence: { operation: null }, dwellMs: 0 });
    expect(world.asked).toEqual([5_000, 6_050]);
    expect(ms).toBe(1_100);
  });

  test('without an operation, nothing is waited for before the first comparison', async () => {
    const world = new GateWorld();
    await world.run(WITHOUT);
    expect(world.asked[0]).toBe(0);
  });

  test('without an operation, a comparison that is late does not begin it anew', async () => {
    const world = new GateWorld();
    world.clock.pause(5_000);
    const { refresh } = world.applications;
    let looks = 0;
    world.applications.refresh = async (address) =>
      ++looks === 2 ? world.view : await refresh?.(address);
    const { result, ms } = await world.run(WITHOUT);
    expect(result.kind).toBe('open');
    expect(ms).toBeLessThan(4_000);
  });

  test('without an operation, a state in between begins it anew', async () => {
    const world = new GateWorld();
    world.clock.pause(5_000);
    let looks = 0;
    const { refresh } = world.applications;
    world.applications.refresh = async (address) => {
      if (++looks === 2) world.change(bad('Progressing'));
      if (looks === 3) world.change({ health: health('Healthy', 't3'), resources: [resource()] });
      return await refresh?.(address);
    };
    // It is told of: then it is looked at for the third time.
    world.later(10_000, { health: health('Healthy', 't2') });
    const { result } = await world.run(WITHOUT);
    expect(result.kind).toBe('open');
    expect(world.asked).toHaveLength(4);
  });
});

test('its resources are not watched any longer than it is', async () => {
  const world = new GateWorld(bad('Progressing'));
  let given: AbortSignal | undefined;
  world.watch.follow = async (_, __, signal) => {
    given = signal;
    return 0;
  };
  const running = world.start();
  await world.clock.advance(30_000);
  expect(given?.aborted).toBe(false);
  await world.clock.until(running);
  expect(given?.aborted).toBe(true);
});

describe('it does not open', () => {
  test.each([
    ['deleted', undefined, 'the Application was deleted'],
    ['made anew', { uid: 'uid-other' }, 'the Application was deleted and recreated'],
    ['being deleted', { deleting: true }, 'the Application is being deleted'],
    ['skipped', { skipped: true }, 'Argo CD does not reconcile it (annotation skip-reconcile)'],
  ])('and nothing is waited for: %s', async (_, part, message) => {
    const world = new GateWorld(part);
    if (!part) {
      world.applications.refresh = async () => undefined;
      world.applications.get = async () => undefined;
    }
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ kind: 'failed', failure: { message, final: true } });
    expect(ms).toBeLessThan(2_000);
  });

  test.each([
    ['with an operation', {}],
    ['without one', WITHOUT],
  ])('when time is up: %s', async (_, part) => {
    const world = new GateWorld(bad('Progressing'));
    const { result, ms } = await world.run(part);
    expect(result).toMatchObject({
      kind: 'failed',
      failure: { final: true, resource: 'apps/Deployment web/b' },
    });
    expect(result).toMatchObject({
      failure: {
        message: expect.stringMatching(/^not Healthy within 5m \(timeouts.health\); .*Progressing/),
      },
    });
    expect(ms).toBeLessThan(301_000);
    expect(ms).toBeGreaterThanOrEqual(300_000);
  });

  test('after the grace, where it is Degraded for so long: another attempt may help', async () => {
    const world = new GateWorld(bad('Degraded'));
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ kind: 'failed', failure: { final: false } });
    expect(ms).toBeGreaterThanOrEqual(60_000);
    expect(ms).toBeLessThan(63_000);
  });

  test('the grace begins anew when it was better meanwhile', async () => {
    const world = new GateWorld(bad('Degraded'));
    world.later(40_000, bad('Progressing'));
    world.later(50_000, bad('Degraded'));
    const { ms } = await world.run();
    expect(ms).toBeGreaterThanOrEqual(110_000);
    expect(ms).toBeLessThan(113_000);
  });

  test('the grace does not outlast the time that there is', async () => {
    const world = new GateWorld(bad('Degraded'));
    const { result, ms } = await world.run({ time: timeUntil(30_000) });
    expect(result).toMatchObject({ kind: 'failed', failure: { final: true } });
    expect(ms).toBeLessThan(31_000);
  });

  test('one that is never steady is given up', async () => {
    const world = new GateWorld();
    let transitions = 0;
    const { refresh } = world.applications;
    world.applications.refresh = async (address) => {
      world.change({ health: health('Healthy', `t${transitions++}`) });
      return await refresh?.(address);
    };
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ kind: 'failed', failure: { final: true } });
    expect(ms).toBeGreaterThanOrEqual(300_000);
    expect(ms).toBeLessThan(315_000);
    expect(world.waits).toContain('health changed during the dwell');
  });
});

describe('Argo CD is late', () => {
  const late = (world: GateWorld, from: number, until: number) => {
    const { refresh } = world.applications;
    world.applications.refresh = async (address) => {
      const now = world.clock.monotonic();
      if (now < from || now >= until) return await refresh?.(address);
      world.asked.push(now);
      return world.view;
    };
  };

  test('a comparison is asked for again, after one, two and then five seconds each', async () => {
    const world = new GateWorld();
    late(world, 0, 20_000);
    await world.run();
    expect(world.asked.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 9_000, 14_000, 19_000]);
  });

  test('one that is late after the dwell is waited for, and the dwell does not begin anew', async () => {
    const world = new GateWorld();
    late(world, 2_000, 30_000);
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ kind: 'open', dwellMs: 10_000 });
    expect(world.asked.slice(0, 5)).toEqual([1_000, 11_050, 12_050, 14_050, 19_050]);
    expect(ms).toBe(34_100);
    expect(world.stages.filter((stage) => stage === 'dwelling')).toHaveLength(1);
  });

  test('one that never comes ends with the time that there is', async () => {
    const world = new GateWorld();
    late(world, 2_000, Number.POSITIVE_INFINITY);
    const { result, ms } = await world.run();
    expect(result).toMatchObject({
      kind: 'failed',
      failure: { final: true, message: expect.stringContaining('since the dwell began') },
    });
    expect(ms).toBe(300_000);
  });

  test('a cluster that cannot be reached for a while changes nothing', async () => {
    const world = new GateWorld();
    world.applications.liveResources = async (address) => {
      if (world.clock.monotonic() < 30_000) throw unreachable();
      return await world.honest.liveResources(address);
    };
    expect((await world.run()).result.kind).toBe('open');
  });
});
