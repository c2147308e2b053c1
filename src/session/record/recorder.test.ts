import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeStore } from '../../../test/fakes/cluster.ts';
import { PLAN, RecordWorld } from '../../../test/fakes/record-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { Store } from '../../ports/record-store.ts';
import { readRun } from './history.ts';

let world: RecordWorld;
let clock: VirtualClock;
let store: FakeStore;

beforeEach(() => {
  world = new RecordWorld();
  ({ clock, store } = world);
});

/** Text that hardly becomes smaller. */
const noise = (length: number, seed: number) => {
  let state = seed;
  const bytes = Buffer.alloc(Math.ceil(length / 4) * 3);
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes.toString('base64').slice(0, length);
};

describe('writing', () => {
  test('names, labels, and what comes back is what was written', async () => {
    const events = [world.warning('one'), world.warning('zwei, drei: ä'), world.finished()];
    expect(await world.record(events)).toBe(true);
    const [text] = store.texts.values();
    expect(text?.name).toBe('tiphys-run-shop-r1');
    expect(Object.fromEntries(text?.labels ?? [])).toEqual({
      'tiphys.dev/platform': 'shop',
      'tiphys.dev/run': 'r1',
      'tiphys.dev/plan': PLAN.slice('sha256:'.length, 39),
    });
    expect(await readRun(store.api, 'shop', 'r1')).toEqual({
      run: 'r1',
      plan: PLAN,
      started: events[0]?.time,
      exitStatus: 0,
      events,
      problem: undefined,
      own: events,
      loose: [],
    });
  });

  test('at once, then at most every 2 s, and not while nothing happens', async () => {
    const recorder = world.recorderOf();
    for (let tenth = 0; tenth < 100; tenth++) {
      recorder.append(world.warning(String(tenth)));
      await clock.advance(100);
    }
    expect(store.putAt).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    await clock.advance(60_000);
    expect(store.putAt).toHaveLength(6);
    recorder.append(world.finished());
    await clock.advance(0);
    expect(store.putAt.at(-1)).toBe(70_000);
    expect(await world.messages()).toHaveLength(101);
    expect(store.texts.size).toBe(1);
  });

  test('nothing where nothing happened, and nothing of what happens after the end', async () => {
    const recorder = world.recorderOf();
    expect(await clock.until(recorder.close())).toBe(true);
    recorder.append(world.warning('late'));
    await clock.advance(60_000);
    expect([store.texts.size, store.putAt]).toEqual([0, []]);
  });

  test('nor what happens while the end is written', async () => {
    store.refusals.push({ kind: 'unknown', message: 'x' }, { kind: 'unknown', message: 'x' });
    const recorder = world.recorderOf();
    recorder.append(world.warning('one'));
    const closed = recorder.close();
    await clock.advance(1_000);
    recorder.append(world.warning('late'));
    expect([await clock.until(closed), await world.messages()]).toEqual([true, ['one']]);
  });

  test('a chunk that is full and stored is not sent again', async () => {
    const recorder = world.recorderOf();
    for (const seed of [1, 2]) {
      recorder.append(world.warning(noise(200_000, seed)));
      await clock.advance(2_000);
    }
    await clock.advance(20_000);
    // Once more, to be sealed.
    expect([store.putAt, store.texts.size]).toEqual([[0, 2_000, 2_000], 2]);
  });

  test('a chunk is sealed when it is full, and with the end of the run', async () => {
    const recorder = world.recorderOf();
    for (const seed of [1, 2]) {
      recorder.append(world.warning(noise(200_000, seed)));
      await clock.advance(2_000);
    }
    const sealed = () => [...store.texts.values()].map(({ isSealed }) => isSealed ?? false);
    expect(sealed()).toEqual([true, false]);
    recorder.append(world.finished());
    await clock.until(recorder.close());
    expect(sealed()).toEqual([true, true]);
    expect((await world.messages())?.length).toBe(3);
  });

  test('a process that goes before the end of the run seals what it has written', async () => {
    await world.record([world.warning('begin')]);
    await world.record([world.warning('node')], 'r1', 'a');
    const sealed = [...store.texts.values()].map(({ name, isSealed = false }) => [name, isSealed]);
    expect(sealed).toEqual([
      ['tiphys-run-shop-r1', true],
      // Its events go into the run's own record, and this goes.
      ['tiphys-run-shop-r1-a', false],
    ]);
    expect(store.putAt).toHaveLength(3);
  });

  test('one that cannot be sealed is whole all the same', async () => {
    const recorder = world.recorderOf();
    recorder.append(world.warning('begin'));
    await clock.advance(100);
    store.refusals.push({ kind: 'unknown', message: 'timeout' });
    expect([await clock.until(recorder.close()), world.problems]).toEqual([true, []]);
  });

  test('what comes after the end goes into a chunk of its own', async () => {
    const recorder = world.recorderOf();
    recorder.append(world.finished());
    await clock.advance(2_000);
    recorder.append(world.warning('late'));
    await clock.until(recorder.close());
    expect([...store.texts.keys()]).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r1-1']);
    expect(await world.messages()).toEqual(['run.finished', 'late']);
  });

  test('a sealed chunk whose reply was lost is sent again as it is', async () => {
    const recorder = world.recorderOf();
    const given = store.api.put;
    let isLost = true;
    const put: Store['put'] = async (text, mayWrite) => {
      const result = await given(text, mayWrite);
      if (!isLost) return result;
      isLost = false;
      return { kind: 'unknown', message: 'timeout' };
    };
    Object.assign(store.api, { put });
    recorder.append(world.finished());
    await clock.advance(100);
    recorder.append(world.warning('late'));
    expect(await clock.until(recorder.close())).toBe(true);
    expect(await world.messages()).toEqual(['run.finished', 'late']);
  });

  test('a number that another process has used meanwhile is left to it', async () => {
    const recorder = world.recorderOf();
    store.refusals.push({ kind: 'refused', reason: 'invalid', message: 'append-only' });
    recorder.append(world.warning('mine'));
    const other = world.recorderOf();
    other.append(world.warning('theirs'));
    await clock.until(other.close());
    expect(await clock.until(recorder.close())).toBe(true);
    expect([...store.texts.keys()].sort()).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r1-1']);
    expect((await world.messages())?.sort()).toEqual(['mine', 'theirs']);
  });

  test('what happens at once is compressed as one', async () => {
    const recorder = world.recorderOf();
    for (let index = 0; index < 500; index++) recorder.append(world.warning('the same'));
    await clock.until(recorder.close());
    const [text] = store.texts.values();
    expect(text?.data.get('events.jsonl.gz')?.length).toBeLessThan(5_000);
  });

  test('every prefix that is ever stored is the beginning of what happened', async () => {
    const recorder = world.recorderOf();
    for (let second = 0; second < 20; second++) {
      recorder.append(world.warning(String(second)));
      await clock.advance(1_000);
      const read = await world.messages();
      expect(read).toEqual(Array.from({ length: read?.length ?? -1 }, (_, index) => `${index}`));
    }
  });

  test('chunks stay far below what a ConfigMap may have', async () => {
    const recorder = world.recorderOf();
    const texts = Array.from({ length: 60 }, (_, index) => noise(30_000, index));
    for (const text of texts) {
      recorder.append(world.warning(text));
      await clock.advance(700);
    }
    recorder.append(world.finished());
    await clock.until(recorder.close());
    const sizes = [...store.texts.values()].map(({ data }) => data.get('events.jsonl.gz')?.length);
    expect(sizes.length).toBeGreaterThan(4);
    expect(sizes.length).toBeLessThan(10);
    expect(Math.max(...sizes.map((size) => size ?? Number.NaN))).toBeLessThanOrEqual(256 * 1024);
    expect([...store.texts.keys()].slice(0, 3)).toEqual([
      'tiphys-run-shop-r1',
      'tiphys-run-shop-r1-1',
      'tiphys-run-shop-r1-2',
    ]);
    expect(await world.messages()).toEqual([...texts, 'run.finished']);
  });

  test('so many events at once', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => noise(30_000, index));
    await world.record([...texts.map((text) => world.warning(text)), world.finished()]);
    expect(await world.messages()).toEqual([...texts, 'run.finished']);
  });

  test('a record has its bound; the end is always in it', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => noise(290_000, index));
    const recorder = world.recorderOf();
    for (const text of texts) {
      recorder.append(world.warning(text));
      await clock.advance(2_000);
    }
    recorder.append(world.warning('small'));
    await clock.advance(2_000);
    recorder.append(world.finished('r1', 2));
    await clock.until(recorder.close());
    const sizes = [...store.texts.values()].map(({ data }) => data.get('events.jsonl.gz')?.length);
    expect(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)).toBeLessThan(9_000_000);
    const history = await readRun(store.api, 'shop', 'r1');
    expect(history).toMatchObject({ exitStatus: 2, problem: expect.stringMatching(/too large/) });
    expect(history?.events.length).toBeGreaterThan(30);
    expect(await world.messages()).toEqual([
      ...texts.slice(0, (history?.events.length ?? 0) - 1),
      'run.finished',
    ]);
  });

  test('so has a single event: nothing is shown after one that is left out, but the end', async () => {
    const recorder = world.recorderOf();
    for (const text of ['one', noise(400_000, 1), 'three']) {
      recorder.append(world.warning(text));
      await clock.advance(2_000);
    }
    recorder.append(world.finished());
    await clock.until(recorder.close());
    expect(await world.messages()).toEqual(['one', 'run.finished']);
  });

  test('also where it is the first one', async () => {
    await world.record([world.warning(noise(400_000, 1))]);
    const history = await readRun(store.api, 'shop', 'r1');
    expect(history).toMatchObject({ events: [], problem: expect.stringMatching(/too large/) });
  });

  test('what could not be written is written later', async () => {
    store.refusals.push({ kind: 'unknown', message: 'timeout' }, { kind: 'unknown', message: 'x' });
    const recorder = world.recorderOf();
    recorder.append(world.warning('one'));
    await clock.advance(1_000);
    expect(await world.messages()).toBeUndefined();
    recorder.append(world.warning('two'));
    await clock.advance(4_000);
    expect(await world.messages()).toEqual(['one', 'two']);
    expect(world.problems).toEqual(['timeout']);
  });

  test('a store that never takes it does not stop a run', async () => {
    for (let index = 0; index < 50; index++) {
      store.refusals.push({ kind: 'refused', reason: 'forbidden', message: 'no' });
    }
    expect(await world.record([world.warning('one'), world.finished()])).toBe(false);
    expect(world.problems).toEqual(['no']);
    expect(store.texts.size).toBe(0);
    // Once while the run goes on, three times at its end.
    expect(store.putAt).toEqual([0, 0, 2_000, 4_000]);
  });

  test('nothing is written by a run that does not own the platform', async () => {
    world.owns = false;
    await world.record([world.warning('one'), world.finished()]);
    expect(store.putAt).toEqual([]);
  });

  test('a run that continues another one goes on with its record', async () => {
    const first = world.recorderOf();
    first.append(world.warning('one'));
    await clock.advance(100);
    await world.record([world.warning('two'), world.finished()]);
    expect([...store.texts.keys()]).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r1-1']);
    expect(await world.messages()).toEqual(['one', 'two', 'run.finished']);
  });
});
