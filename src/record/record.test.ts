import { beforeEach, describe, expect, test } from 'vitest';
import { FakeStore } from '../../test/fakes/cluster.ts';
import { VirtualClock } from '../../test/fakes/virtual-clock.ts';
import type { RunEvent } from '../run/events.ts';
import type { StoredText } from '../run/target.ts';
import { listRuns, pruneRuns, readRun } from './history.ts';
import { Recorder, type RecorderParts } from './recorder.ts';

const PLAN = `sha256:${'0123456789abcdef'.repeat(4)}`;
let clock: VirtualClock;
let store: FakeStore;
let problems: string[];
let owns: boolean;

beforeEach(() => {
  clock = new VirtualClock();
  store = new FakeStore(clock.monotonic);
  [problems, owns] = [[], true];
});

const recorderOf = (run = 'r1', part: Partial<RecorderParts> = {}) =>
  new Recorder({
    platform: 'shop',
    run,
    plan: PLAN,
    store: store.api,
    clock,
    mayWrite: () => owns,
    onProblem: (message) => problems.push(message),
    ...part,
  });
const time = () => new Date(clock.now()).toISOString();
const warning = (message: string, run = 'r1'): RunEvent => {
  return { type: 'run.warning', time: time(), run, message };
};
const finished = (run = 'r1', exitStatus = 0): RunEvent => ({
  type: 'run.finished',
  time: time(),
  run,
  exitStatus,
  counts: { healthy: 1, unchanged: 0, failed: 0, skipped: 0, removed: 0 },
  held: [],
});
/** Text that does not become smaller. */
const noise = (length: number, seed: number) => {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(33 + ((state >>> 16) % 90));
  }).join('');
};
const record = async (events: readonly RunEvent[], run = 'r1') => {
  const recorder = recorderOf(run);
  for (const event of events) recorder.append(event);
  await clock.until(recorder.close());
};
const messages = async (run = 'r1') => {
  const history = await readRun(store.api, 'shop', run);
  return history?.events.map((event) =>
    event.type === 'run.warning' ? event.message : event.type,
  );
};
const change = (name: string, how: (text: StoredText) => StoredText) => {
  const text = store.texts.get(name);
  if (!text) throw new Error(`no ${name}`);
  store.texts.set(name, how(text));
};

describe('writing', () => {
  test('names, labels, and what comes back is what was written', async () => {
    const events = [warning('one'), warning('zwei, drei: ä'), finished()];
    await record(events);
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
    });
  });

  test('at once, then at most every 2 s, and not while nothing happens', async () => {
    const recorder = recorderOf();
    for (let tenth = 0; tenth < 100; tenth++) {
      recorder.append(warning(String(tenth)));
      await clock.advance(100);
    }
    expect(store.putAt).toEqual([0, 2_000, 4_000, 6_000, 8_000, 10_000]);
    await clock.advance(60_000);
    expect(store.putAt).toHaveLength(6);
    recorder.append(finished());
    await clock.advance(0);
    expect(store.putAt.at(-1)).toBe(70_000);
    expect(await messages()).toHaveLength(101);
  });

  test('every prefix that is ever stored is the beginning of what happened', async () => {
    const recorder = recorderOf();
    for (let second = 0; second < 20; second++) {
      recorder.append(warning(String(second)));
      await clock.advance(1_000);
      const read = await messages();
      expect(read).toEqual(Array.from({ length: read?.length ?? -1 }, (_, index) => `${index}`));
    }
  });

  test('chunks stay far below what a ConfigMap may have', async () => {
    const recorder = recorderOf();
    const texts = Array.from({ length: 60 }, (_, index) => noise(30_000, index));
    for (const text of texts) {
      recorder.append(warning(text));
      await clock.advance(700);
    }
    recorder.append(finished());
    await clock.until(recorder.close());
    const sizes = [...store.texts.values()].map(({ data }) => data.get('events.jsonl.gz')?.length);
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes.map((size) => size ?? Number.NaN))).toBeLessThan(900_000);
    expect([...store.texts.keys()].slice(0, 3)).toEqual([
      'tiphys-run-shop-r1',
      'tiphys-run-shop-r1-1',
      'tiphys-run-shop-r1-2',
    ]);
    expect(await messages()).toEqual([...texts, 'run.finished']);
  });

  test('so many events at once', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => noise(30_000, index));
    await record([...texts.map((text) => warning(text)), finished()]);
    expect(await messages()).toEqual([...texts, 'run.finished']);
  });

  test('a record has its bound; the end is always in it', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => noise(300_000, index));
    const recorder = recorderOf();
    for (const text of texts) {
      recorder.append(warning(text));
      await clock.advance(2_000);
    }
    recorder.append(warning('small'));
    await clock.advance(2_000);
    recorder.append(finished('r1', 2));
    await clock.until(recorder.close());
    const sizes = [...store.texts.values()].map(({ data }) => data.get('events.jsonl.gz')?.length);
    expect(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)).toBeLessThan(9_000_000);
    const history = await readRun(store.api, 'shop', 'r1');
    expect(history).toMatchObject({ exitStatus: 2, problem: expect.stringMatching(/too large/) });
    expect(await messages()).toEqual([
      ...texts.slice(0, (history?.events.length ?? 0) - 1),
      'run.finished',
    ]);
  });

  test('what could not be written is written later', async () => {
    store.refusals.push({ kind: 'unknown', message: 'timeout' }, { kind: 'unknown', message: 'x' });
    const recorder = recorderOf();
    recorder.append(warning('one'));
    await clock.advance(1_000);
    expect(await messages()).toBeUndefined();
    recorder.append(warning('two'));
    await clock.advance(4_000);
    expect(await messages()).toEqual(['one', 'two']);
    expect(problems).toEqual(['timeout']);
  });

  test('a store that never takes it does not stop a run', async () => {
    for (let index = 0; index < 50; index++) {
      store.refusals.push({ kind: 'refused', reason: 'forbidden', message: 'no' });
    }
    await record([warning('one'), finished()]);
    expect(problems).toEqual(['no']);
    expect(store.texts.size).toBe(0);
  });

  test('nothing is written by a run that does not own the platform', async () => {
    owns = false;
    await record([warning('one'), finished()]);
    expect(store.putAt).toEqual([]);
  });

  test('a run that continues another one goes on with its record', async () => {
    const first = recorderOf();
    first.append(warning('one'));
    await clock.advance(100);
    await record([warning('two'), finished()]);
    expect([...store.texts.keys()]).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r1-1']);
    expect(await messages()).toEqual(['one', 'two', 'run.finished']);
  });
});

describe('reading', () => {
  const three = async () => {
    for (const text of ['one', 'two', 'three']) await record([warning(text)]);
  };
  const second = 'tiphys-run-shop-r1-1';

  test('nothing known', async () => {
    expect(await readRun(store.api, 'shop', 'r9')).toBeUndefined();
  });

  test('a part is missing: what is before it is shown, and said', async () => {
    await three();
    store.texts.delete(second);
    expect(await messages()).toEqual(['one']);
    const { problem } = (await readRun(store.api, 'shop', 'r1')) ?? {};
    expect(problem).toMatch(/part 2 .* missing/);
  });

  test('the first part is missing', async () => {
    await three();
    store.texts.delete('tiphys-run-shop-r1');
    expect(await messages()).toEqual([]);
  });

  const bytesOf = (text: StoredText) => text.data.get('events.jsonl.gz') ?? new Uint8Array();
  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['torn', (bytes) => bytes.slice(0, -5)],
    ['empty', () => new Uint8Array()],
    ['with a bit flipped', (bytes) => bytes.map((byte, index) => (index === 15 ? byte ^ 1 : byte))],
    ['with another one behind it', (bytes) => Uint8Array.from([...bytes, ...bytes])],
  ])('a part is %s', async (_, damage) => {
    await three();
    change(second, (text) => {
      return { ...text, data: new Map([['events.jsonl.gz', damage(bytesOf(text))]]) };
    });
    expect(await messages()).toEqual(['one']);
    const { problem } = (await readRun(store.api, 'shop', 'r1')) ?? {};
    expect(problem).toMatch(/part 2 .* damaged/);
  });

  test('a part with the bytes of another one', async () => {
    await three();
    const other = store.texts.get('tiphys-run-shop-r1-2');
    change(second, (text) => ({ ...text, data: other?.data ?? new Map() }));
    expect(await messages()).toEqual(['one']);
  });

  test('things that are no part of a record', async () => {
    await three();
    change(second, (text) => ({ ...text, annotations: new Map() }));
    expect(await messages()).toEqual(['one']);
  });
});

describe('the list of runs', () => {
  test('newest first, with what became of them', async () => {
    await record([warning('a', 'r1'), finished('r1', 0)], 'r1');
    await clock.advance(60_000);
    await record([warning('a', 'r2'), finished('r2', 2)], 'r2');
    await clock.advance(60_000);
    await record([warning('a', 'r3')], 'r3');
    const runs = await listRuns(store.api, 'shop');
    expect(runs.map(({ run, exitStatus }) => [run, exitStatus])).toEqual([
      ['r3', undefined],
      ['r2', 2],
      ['r1', 0],
    ]);
    expect(await listRuns(store.api, 'office')).toEqual([]);
  });

  test('the last 20 are kept, all parts of the older ones go', async () => {
    for (let index = 10; index < 35; index++) {
      await record([warning('a', `r${index}`)], `r${index}`);
      await record([warning('b', `r${index}`)], `r${index}`);
      await clock.advance(1_000);
    }
    const runs = await listRuns(store.api, 'shop');
    expect(runs.map(({ run }) => run)).toEqual(Array.from({ length: 20 }, (_, i) => `r${34 - i}`));
    expect(store.texts.size).toBe(40);
  });

  test('other platforms keep theirs', async () => {
    await record([warning('a')]);
    await pruneRuns(store.api, 'office', 0);
    expect(store.texts.size).toBe(1);
  });
});
