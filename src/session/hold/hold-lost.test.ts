import { beforeEach, describe, expect, test } from 'vitest';
import { type FakeProjects, foreignWindow } from '../../../test/fakes/cluster.ts';
import { codeOf, failure } from '../../../test/fakes/failure.ts';
import { app, apps, HoldWorld } from '../../../test/fakes/hold-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { TiphysError } from '../../errors.ts';
import { holdWindow } from '../../run/hold.ts';

let world: HoldWorld;
let clock: VirtualClock;
let projects: FakeProjects;
let losses: unknown[];
let sent: number[];

beforeEach(() => {
  world = new HoldWorld();
  ({ clock, projects, losses, sent } = world);
});

describe('others write too', () => {
  test('between read and write: read again, decided again, nothing of theirs is lost', async () => {
    const theirs = foreignWindow({ schedule: '0 3 * * *' });
    projects.faults.push({ before: () => world.edit({ windows: [theirs] }) });
    await world.started('a');
    expect(projects.peek('p')?.windows).toMatchObject([theirs, { applications: ['a'] }]);
    expect(sent).toEqual([0, 1_000]);
    expect(losses).toEqual([]);
  });

  test('another platform was faster: both are there', async () => {
    projects.faults.push({ before: () => world.leftOver('office/r9', 'x') });
    await world.started('a');
    expect([world.held(), world.held('p', 'office')]).toEqual([['a'], ['x']]);
    expect(losses).toEqual([]);
  });

  test('another platform holds it after everything was handed over', async () => {
    const writer = await world.started('a');
    writer.release(app('a'));
    await clock.until(writer.flush());
    world.leftOver('office/r9', 'x');
    writer.hold(apps('a'));
    await clock.until(writer.flush());
    expect([world.held(), world.held('p', 'office')]).toEqual([['a'], ['x']]);
  });

  test('two platforms at once: each writes its own, and neither takes anything from the other', async () => {
    const office = world.writerOf({ platform: 'office', run: 'r9' });
    const shop = world.writerOf();
    for (const name of ['a', 'b', 'c', 'd']) {
      shop.hold(apps(name));
      office.hold(apps(`${name}-office`));
      await clock.advance(300);
    }
    await clock.until(Promise.all([shop.flush(), office.flush()]));
    expect(world.held()).toEqual(['a', 'b', 'c', 'd']);
    expect(world.held('p', 'office')).toEqual(['a-office', 'b-office', 'c-office', 'd-office']);
    for (const one of apps('a', 'b', 'c', 'd')) shop.release(one);
    await clock.until(shop.flush());
    await office.check();
    expect(world.held()).toBeUndefined();
    expect(world.held('p', 'office')).toHaveLength(4);
    expect(losses).toEqual([]);
  });

  test('a lost request is sent again', async () => {
    projects.faults.push({ result: 'lost-request' });
    await world.started('a');
    expect(world.held()).toEqual(['a']);
    expect(sent).toHaveLength(2);
  });

  test('a lost reply is found by reading', async () => {
    projects.faults.push({ result: 'lost-reply' });
    const writer = await world.started('a');
    expect(sent).toHaveLength(1);
    expect(writer.current().get('p')).toEqual(['a']);
    expect(world.changes).toEqual([['p', ['a']]]);
  });

  test('a request that arrives late is not taken for a stranger', async () => {
    const writer = await world.started('a', 'b');
    await clock.advance(2_000);
    projects.faults.push({ result: 'lost-request' });
    writer.release(app('a'));
    await clock.advance(500);
    writer.hold(apps('a'));
    await clock.until(writer.flush());
    // Now the request for b alone arrives after all.
    world.edit({ windows: [holdWindow(['b'])] });
    await clock.advance(15_000);
    expect(losses).toEqual([]);
    expect(world.held()).toEqual(['a', 'b']);
  });

  test('but after a later write that is sure, it is one', async () => {
    const writer = await world.started('a', 'b');
    await clock.advance(2_000);
    projects.faults.push({ result: 'lost-request' });
    writer.release(app('a'));
    await clock.advance(500);
    writer.hold(apps('a', 'c'));
    await clock.until(writer.flush());
    expect(world.held()).toEqual(['a', 'b', 'c']);
    world.edit({ windows: [holdWindow(['b'])] });
    await writer.check();
    expect(losses.map(codeOf)).toEqual(['hold-lost']);
  });

  test('an answer from before a write is not judged by it', async () => {
    let slow = false;
    const get: typeof projects.api.get = async (name) => {
      const project = await projects.api.get(name);
      if (slow) {
        slow = false;
        await clock.sleep(3_000);
      }
      return project;
    };
    const writer = world.writerOf({ projects: { get, update: world.update } });
    writer.hold(apps('a', 'b'));
    await clock.until(writer.flush());
    await clock.advance(2_000);
    slow = true;
    const checked = writer.check();
    await clock.advance(100);
    writer.release(app('a'));
    await clock.until(checked);
    await clock.until(writer.flush());
    expect([losses, world.held()]).toEqual([[], ['b']]);
  });
});

describe('a hold that is lost', () => {
  const lossAfter = async (change: () => void, how: string) => {
    await world.started('a', 'b');
    change();
    await clock.advance(9_999);
    expect(losses).toEqual([]);
    await clock.advance(1);
    expect(losses.map(codeOf)).toEqual(['hold-lost']);
    expect(losses[0]).toMatchObject({ exitStatus: 2 });
    expect(String(losses[0])).toContain(`AppProject "p": ${how}.`);
  };

  const CHANGED = 'its window or annotation was changed; now';
  const GONE = 'its window is gone';
  test.each<[string, () => void, string]>([
    ['the window was removed', () => world.edit({ windows: [] }), GONE],
    ['also the annotation', () => world.edit({ windows: [], annotations: new Map() }), GONE],
    [
      'the annotation',
      () => world.edit({ annotations: new Map() }),
      `${CHANGED} an unknown owner holds 2 Applications`,
    ],
    [
      'the annotation is another run',
      () => world.leftOver('shop/r2', 'a', 'b'),
      `${CHANGED} shop/r2 holds 2 Applications`,
    ],
    [
      'a name was taken out',
      () => world.edit({ windows: [holdWindow(['a'])] }),
      `${CHANGED} shop/r1 holds 1 Application`,
    ],
    [
      'a name was put in',
      () => world.edit({ windows: [holdWindow(['a', 'b', 'c'])] }),
      `${CHANGED} shop/r1 holds 3 Applications`,
    ],
    [
      'requested syncs are denied',
      () => world.edit({ windows: [{ ...holdWindow(['a', 'b']), manualSync: false }] }),
      `${CHANGED} shop/r1 holds 2 Applications`,
    ],
    ['the project was deleted', () => projects.delete('p'), 'it was deleted'],
  ])('%s', (_, change, how) => lossAfter(change, how));

  test('windows of others may come and go', async () => {
    await world.started('a');
    world.edit({ windows: [foreignWindow(), holdWindow(['a'])] });
    await clock.advance(60_000);
    expect(losses).toEqual([]);
  });

  test('found at once when asked, once, and before the next write', async () => {
    const writer = await world.started('a', 'b');
    world.edit({ windows: [] });
    await writer.check();
    await writer.check();
    expect(losses).toHaveLength(1);
    writer.release(app('a'));
    await clock.advance(60_000);
    expect(sent).toHaveLength(1);
    expect(codeOf(await failure(writer.flush()))).toBe('hold-lost');
  });

  test('found by the next write', async () => {
    const writer = await world.started('a', 'b');
    world.edit({ windows: [] });
    writer.release(app('a'));
    await clock.advance(2_000);
    expect(losses.map(codeOf)).toEqual(['hold-lost']);
    expect(projects.peek('p')?.windows).toEqual([]);
  });

  test('looked for every 10 s while something is held, and no more after it', async () => {
    const writer = await world.started('a');
    writer.hold(apps('a'));
    const before = projects.reads;
    await clock.advance(60_000);
    expect(projects.reads - before).toBe(6);
    writer.release(app('a'));
    await clock.until(writer.flush());
    world.leftOver('office/r9', 'x');
    const after = projects.reads;
    await clock.advance(60_000);
    expect(projects.reads).toBe(after);
    expect(losses).toEqual([]);
  });

  test('a cluster that cannot be reached is no loss, and what is due is written later', async () => {
    const writer = await world.started('a', 'b');
    const unreachable = { code: 'argocd-unreachable', message: 'down' } as const;
    projects.down = new TiphysError([unreachable]);
    writer.release(app('a'));
    await clock.advance(60_000);
    expect(losses).toEqual([]);
    projects.down = undefined;
    await clock.advance(2_000);
    expect(world.held()).toEqual(['b']);
  });
});

test('flush gives up on a cluster that cannot be reached for a minute', async () => {
  const writer = await world.started('a', 'b');
  projects.down = new TiphysError([{ code: 'argocd-unreachable', message: 'down' }]);
  writer.release(app('a'));
  await clock.advance(100_000);
  expect(losses).toEqual([]);
  expect(codeOf(await clock.until(failure(writer.flush())))).toBe('argocd-unreachable');
  expect(clock.monotonic()).toBe(160_000);
});

describe("another platform's window without an owner", () => {
  const addOwnerless = () => {
    const before = projects.peek('p')?.windows ?? [];
    world.edit({ windows: [...before, holdWindow(['x'], 1)] });
  };
  const windows = () =>
    projects.peek('p')?.windows.map(({ duration, applications }) => [duration, ...applications]);

  test('is no loss where the reply to the last release does not come', async () => {
    const writer = await world.started('a');
    addOwnerless();
    writer.release(app('a'));
    projects.faults.push({ result: 'lost-reply' });
    await clock.until(writer.flush());
    expect([losses, writer.current()]).toEqual([[], new Map([['p', []]])]);
    expect(windows()).toEqual([['8784h1m', 'x']]);
  });

  test('is left as it is by the next hold', async () => {
    const writer = await world.started('a');
    addOwnerless();
    writer.release(app('a'));
    await clock.until(writer.flush());
    writer.hold(apps('b'));
    await clock.until(writer.flush());
    expect(losses).toEqual([]);
    expect(windows()).toEqual([
      ['8784h1m', 'x'],
      ['8784h', 'b'],
    ]);
  });
});
