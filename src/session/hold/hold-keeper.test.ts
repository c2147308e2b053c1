import { beforeEach, describe, expect, test } from 'vitest';
import { type FakeProjects, foreignWindow, projectNamed } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, apps, HoldWorld } from '../../../test/fakes/hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { HOLD_ANNOTATION } from '../../run/hold.ts';

let world: HoldWorld;
let clock: VirtualClock;
let projects: FakeProjects;
let losses: unknown[];
let sent: number[];

beforeEach(() => {
  world = new HoldWorld();
  ({ clock, projects, losses, sent } = world);
});

describe('holding and handing over', () => {
  test('what is asked for in one breath is one write', async () => {
    const keeper = world.keeperOf();
    keeper.hold(apps('b', 'a'));
    keeper.hold(apps('c'));
    await clock.until(keeper.flush());
    expect(world.held()).toEqual(['a', 'b', 'c']);
    expect(projects.peek('p')?.annotations.get(HOLD_ANNOTATION)).toBe('shop/r1');
    expect(sent).toEqual([0]);
    expect(world.changes).toEqual([['p', ['a', 'b', 'c']]]);
    expect(keeper.current()).toEqual(new Map([['p', ['a', 'b', 'c']]]));
  });

  test('each project has its own', async () => {
    projects.put(projectNamed('q'));
    const keeper = world.keeperOf();
    keeper.hold([app('a'), app('b', 'q')]);
    await clock.until(keeper.flush());
    expect([world.held('p'), world.held('q')]).toEqual([['a'], ['b']]);
  });

  test('at most one write a second and project', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const keeper = await world.started(...names);
    for (const name of names) {
      keeper.release(app(name));
      await clock.advance(100);
    }
    await clock.until(keeper.flush());
    expect(world.held()).toBeUndefined();
    expect(sent.length).toBeLessThanOrEqual(6);
    for (const [index, time] of sent.slice(1).entries()) {
      expect(time - (sent[index] ?? 0)).toBeGreaterThanOrEqual(1_000);
    }
  });

  test('also where a write takes a while and more is wanted meanwhile', async () => {
    const update: typeof world.update = async (...change) => {
      const result = await world.update(...change);
      await clock.sleep(300);
      return result;
    };
    const keeper = world.keeperOf({ projects: { get: projects.api.get, update } });
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
    for (const name of names) {
      keeper.hold(apps(name));
      await clock.advance(100);
    }
    await clock.until(keeper.flush());
    expect(sent).toEqual([0, 1_000, 2_000]);
    expect(world.held()).toHaveLength(20);
  });

  test('with the last name, window and annotation go, those of others stay', async () => {
    const others = [foreignWindow(), foreignWindow({ kind: 'deny' })];
    world.edit({ windows: others, annotations: new Map([['team', 'x']]) });
    const keeper = await world.started('a', 'b');
    keeper.release(app('a'));
    await clock.advance(2_000);
    expect(world.held()).toEqual(['b']);
    keeper.release(app('b'));
    await clock.advance(2_000);
    expect(projects.peek('p')).toMatchObject({ windows: others });
    expect(projects.peek('p')?.annotations).toEqual(new Map([['team', 'x']]));
  });

  test('a name can be put back', async () => {
    const keeper = await world.started('a', 'b');
    keeper.release(app('a'));
    await clock.until(keeper.flush());
    keeper.hold(apps('a'));
    await clock.until(keeper.flush());
    expect(world.held()).toEqual(['a', 'b']);
  });

  test('nothing is written where it is so already', async () => {
    world.leftOver('shop/r1', 'a');
    await world.started('a');
    expect(sent).toEqual([]);
  });

  test('after stop nothing is read or written', async () => {
    const keeper = await world.started('a', 'b');
    keeper.release(app('a'));
    keeper.stop();
    const { reads } = projects;
    await clock.advance(60_000);
    expect([world.held(), projects.reads, clock.sleepers]).toEqual([['a', 'b'], reads, 0]);
  });
});

describe('urgent requests come first', () => {
  test('no write between a gate and the request of a dependent', async () => {
    const keeper = await world.started('a', 'b');
    await clock.advance(5_000);
    const requested = keeper.urgent();
    keeper.release(app('a'));
    await clock.advance(3_000);
    expect(sent).toHaveLength(1);
    requested();
    await clock.advance(0);
    expect(sent).toEqual([0, 8_000]);
  });

  test('all of them have to be sent', async () => {
    const keeper = await world.started('a', 'b');
    await clock.advance(5_000);
    const [first, second] = [keeper.urgent(), keeper.urgent()];
    keeper.release(app('a'));
    first();
    first();
    await clock.advance(1_000);
    expect(sent).toHaveLength(1);
    second();
    await clock.advance(0);
    expect(sent).toHaveLength(2);
  });

  test('a gate that opens while the project is read', async () => {
    const ends: (() => void)[] = [];
    const keeper = world.keeperOf({
      projects: {
        get: async (name) => {
          const project = await projects.api.get(name);
          if (clock.monotonic() === 5_000) ends.push(keeper.urgent());
          return project;
        },
        update: world.update,
      },
    });
    keeper.hold(apps('a', 'b'));
    await clock.until(keeper.flush());
    await clock.advance(5_000 - clock.monotonic());
    keeper.release(app('a'));
    await clock.advance(400);
    expect(ends).toHaveLength(1);
    expect(sent).toEqual([0]);
    for (const end of ends) end();
    await clock.advance(0);
    expect(sent).toEqual([0, 5_400]);
  });

  test('not for ever', async () => {
    const keeper = await world.started('a', 'b');
    keeper.urgent();
    keeper.release(app('a'));
    await clock.advance(31_000);
    expect(world.held()).toEqual(['b']);
  });

  test('flush does not wait for them', async () => {
    const keeper = await world.started('a', 'b');
    keeper.urgent();
    keeper.release(app('a'));
    await clock.advance(500);
    await clock.until(keeper.flush());
    expect(world.held()).toEqual(['b']);
    expect(clock.monotonic()).toBe(1_000);
  });
});

describe('the lease is asked before each write', () => {
  test('no write is sent without it, and it is sent once it is back', async () => {
    world.mayWrite = false;
    const keeper = world.keeperOf();
    keeper.hold(apps('a'));
    await clock.advance(10_000);
    expect(sent).toEqual([]);
    world.mayWrite = true;
    await clock.advance(1_000);
    expect(world.held()).toEqual(['a']);
  });

  test('asked after the read, for the deadline of a write', async () => {
    const asked: number[] = [];
    const keeper = world.keeperOf({
      mayWrite: (deadline) => {
        asked.push(deadline);
        return projects.reads > 0;
      },
    });
    keeper.hold(apps('a'));
    await clock.until(keeper.flush());
    expect(asked).toEqual([5_000]);
  });

  test('without it for 20 s, flush gives up', async () => {
    world.mayWrite = false;
    const keeper = world.keeperOf();
    keeper.hold(apps('a'));
    const error = await clock.until(failure(keeper.flush()));
    expect(codeOf(error)).toBe('lease-lost');
    expect(clock.monotonic()).toBe(20_000);
    expect([losses, sent]).toEqual([[error], []]);
  });

  test('once it is lost, flush says so', async () => {
    world.mayWrite = false;
    const keeper = world.keeperOf();
    keeper.hold(apps('a'));
    const flushed = failure(keeper.flush());
    await clock.advance(3_000);
    const reason = new Error('lease lost');
    keeper.stop(reason);
    expect(await clock.until(flushed)).toBe(reason);
    expect(sent).toEqual([]);
  });
});
