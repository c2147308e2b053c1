import { beforeEach, describe, expect, test } from 'vitest';
import { type FakeProjects, foreignWindow, projectNamed } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, apps, HoldWorld } from '../../../test/fakes/hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { HOLD_ANNOTATION } from '../../run/hold.ts';
import { Abandoned } from '../abandoned.ts';

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
    const writer = world.writerOf();
    writer.hold(apps('b', 'a'));
    writer.hold(apps('c'));
    await clock.until(writer.flush());
    expect(world.held()).toEqual(['a', 'b', 'c']);
    expect(projects.peek('p')?.annotations.get(HOLD_ANNOTATION)).toBe('shop/r1');
    expect(sent).toEqual([0]);
    expect(world.changes).toEqual([['p', ['a', 'b', 'c']]]);
    expect(writer.current()).toEqual(new Map([['p', ['a', 'b', 'c']]]));
  });

  test('each project has its own', async () => {
    projects.put(projectNamed('q'));
    const writer = world.writerOf();
    writer.hold([app('a'), app('b', 'q')]);
    await clock.until(writer.flush());
    expect([world.held('p'), world.held('q')]).toEqual([['a'], ['b']]);
  });

  test('at most one write a second and project', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const writer = await world.started(...names);
    for (const name of names) {
      writer.release(app(name));
      await clock.advance(100);
    }
    await clock.until(writer.flush());
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
    const writer = world.writerOf({ projects: { get: projects.api.get, update } });
    const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
    for (const name of names) {
      writer.hold(apps(name));
      await clock.advance(100);
    }
    await clock.until(writer.flush());
    expect(sent).toEqual([0, 1_000, 2_000]);
    expect(world.held()).toHaveLength(20);
  });

  test('with the last name, window and annotation go, those of others stay', async () => {
    const others = [foreignWindow(), foreignWindow({ kind: 'deny' })];
    world.edit({ windows: others, annotations: new Map([['team', 'x']]) });
    const writer = await world.started('a', 'b');
    writer.release(app('a'));
    await clock.advance(2_000);
    expect(world.held()).toEqual(['b']);
    writer.release(app('b'));
    await clock.advance(2_000);
    expect(projects.peek('p')).toMatchObject({ windows: others });
    expect(projects.peek('p')?.annotations).toEqual(new Map([['team', 'x']]));
  });

  test('a name can be put back', async () => {
    const writer = await world.started('a', 'b');
    writer.release(app('a'));
    await clock.until(writer.flush());
    writer.hold(apps('a'));
    await clock.until(writer.flush());
    expect(world.held()).toEqual(['a', 'b']);
  });

  test('nothing is written where it is so already', async () => {
    world.leftOver('shop/r1', 'a');
    await world.started('a');
    expect(sent).toEqual([]);
  });

  test('after stop nothing is read or written', async () => {
    const writer = await world.started('a', 'b');
    writer.release(app('a'));
    writer.stop();
    const { reads } = projects;
    await clock.advance(60_000);
    expect([world.held(), projects.reads, clock.sleepers]).toEqual([['a', 'b'], reads, 0]);
  });
});

test('stopped while it reads the project, it does not write it', async () => {
  const get: typeof projects.api.get = async (name) => {
    await clock.sleep(500);
    return await projects.api.get(name);
  };
  const writer = world.writerOf({ projects: { get, update: world.update } });
  writer.hold(apps('a'));
  await clock.advance(100);
  writer.stop();
  await clock.advance(60_000);
  expect([sent, clock.sleepers]).toEqual([[], 0]);
});

describe('urgent requests come first', () => {
  test('no write between a gate and the request of a dependent', async () => {
    const writer = await world.started('a', 'b');
    await clock.advance(5_000);
    const requested = writer.pauseWrites();
    writer.release(app('a'));
    await clock.advance(3_000);
    expect(sent).toHaveLength(1);
    requested();
    await clock.advance(0);
    expect(sent).toEqual([0, 8_000]);
  });

  test('all of them have to be sent', async () => {
    const writer = await world.started('a', 'b');
    await clock.advance(5_000);
    const [first, second] = [writer.pauseWrites(), writer.pauseWrites()];
    writer.release(app('a'));
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
    const writer = world.writerOf({
      projects: {
        get: async (name) => {
          const project = await projects.api.get(name);
          if (clock.monotonic() === 5_000) ends.push(writer.pauseWrites());
          return project;
        },
        update: world.update,
      },
    });
    writer.hold(apps('a', 'b'));
    await clock.until(writer.flush());
    await clock.advance(5_000 - clock.monotonic());
    writer.release(app('a'));
    await clock.advance(400);
    expect(ends).toHaveLength(1);
    expect(sent).toEqual([0]);
    for (const end of ends) end();
    await clock.advance(0);
    expect(sent).toEqual([0, 5_400]);
  });

  test('not for ever', async () => {
    const writer = await world.started('a', 'b');
    writer.pauseWrites();
    writer.release(app('a'));
    await clock.advance(31_000);
    expect(world.held()).toEqual(['b']);
  });

  test('what comes while one is written waits as patiently as that did', async () => {
    const update: typeof world.update = async (...change) => {
      const result = await world.update(...change);
      await clock.sleep(2_000);
      return result;
    };
    const writer = world.writerOf({ projects: { get: projects.api.get, update } });
    writer.hold(apps('a', 'b', 'c'));
    await clock.until(writer.flush());
    writer.pauseWrites();
    writer.release(app('a'));
    await clock.advance(31_000);
    writer.release(app('b'));
    await clock.advance(60_000);
    // Up to 30 s from when it was asked for, and again from the answer.
    expect(sent).toEqual([0, 32_000, 64_000]);
  });

  test('flush does not wait for them', async () => {
    const writer = await world.started('a', 'b');
    writer.pauseWrites();
    writer.release(app('a'));
    await clock.advance(500);
    await clock.until(writer.flush());
    expect(world.held()).toEqual(['b']);
    expect(clock.monotonic()).toBe(1_000);
  });
});

describe('the lease is asked before each write', () => {
  test('no write is sent without it, and it is sent once it is back', async () => {
    world.mayWrite = false;
    const writer = world.writerOf();
    writer.hold(apps('a'));
    await clock.advance(10_000);
    expect(sent).toEqual([]);
    world.mayWrite = true;
    await clock.advance(1_000);
    expect(world.held()).toEqual(['a']);
  });

  test('asked after the read, for the deadline of a write', async () => {
    const asked: number[] = [];
    const writer = world.writerOf({
      mayWrite: (deadline) => {
        asked.push(deadline);
        return projects.reads > 0;
      },
    });
    writer.hold(apps('a'));
    await clock.until(writer.flush());
    expect(asked).toEqual([5_000]);
  });

  test('without it for 20 s, flush gives up', async () => {
    world.mayWrite = false;
    const writer = world.writerOf();
    writer.hold(apps('a'));
    const error = await clock.until(failure(writer.flush()));
    expect(codeOf(error)).toBe('lease-lost');
    expect(clock.monotonic()).toBe(20_000);
    expect([losses, sent]).toEqual([[error], []]);
  });

  test('told to stop before it begins, flush writes nothing', async () => {
    const writer = world.writerOf();
    writer.hold(apps('a'));
    const error = await clock.until(failure(writer.flush(AbortSignal.abort())));
    expect(error).toBeInstanceOf(Abandoned);
    expect(sent).toEqual([]);
  });

  test('once it is lost, flush says so', async () => {
    world.mayWrite = false;
    const writer = world.writerOf();
    writer.hold(apps('a'));
    const flushed = failure(writer.flush());
    await clock.advance(3_000);
    const reason = new Error('lease lost');
    writer.stop(reason);
    expect(await clock.until(flushed)).toBe(reason);
    expect(sent).toEqual([]);
  });
});
