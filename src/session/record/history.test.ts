import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeStore } from '../../../test/fakes/cluster.ts';
import { RecordWorld } from '../../../test/fakes/record-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { StoredText } from '../../ports/record-store.ts';
import { listRuns, pruneRuns, readRun } from './history.ts';

let world: RecordWorld;
let clock: VirtualClock;
let store: FakeStore;

beforeEach(() => {
  world = new RecordWorld();
  ({ clock, store } = world);
});

const change = (name: string, how: (text: StoredText) => StoredText) => {
  const text = store.texts.get(name);
  if (!text) throw new Error(`no ${name}`);
  store.texts.set(name, how(text));
};

describe('reading', () => {
  const three = async () => {
    for (const text of ['one', 'two', 'three']) await world.record([world.warning(text)]);
  };
  const second = 'tiphys-run-shop-r1-1';

  test('nothing known', async () => {
    await three();
    expect(await readRun(store.api, 'shop', 'r9')).toBeUndefined();
    expect(await readRun(store.api, 'office', 'r1')).toBeUndefined();
  });

  test('a part is missing: what is before it is shown, and said', async () => {
    await three();
    store.texts.delete(second);
    expect(await world.messages()).toEqual(['one']);
    const { problem } = (await readRun(store.api, 'shop', 'r1')) ?? {};
    expect(problem).toMatch(/part 2 .* missing/);
  });

  test('the first part is missing', async () => {
    await three();
    store.texts.delete('tiphys-run-shop-r1');
    expect(await world.messages()).toEqual([]);
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
    expect(await world.messages()).toEqual(['one']);
    const { problem } = (await readRun(store.api, 'shop', 'r1')) ?? {};
    expect(problem).toMatch(/part 2 .* damaged/);
  });

  test('a part with the bytes of another one', async () => {
    await three();
    const other = store.texts.get('tiphys-run-shop-r1-2');
    change(second, (text) => ({ ...text, data: other?.data ?? new Map() }));
    expect(await world.messages()).toEqual(['one']);
  });

  test.each([undefined, '-1', '1.5', 'one'])(
    'what has no number of a part, but %s, is none',
    async (number) => {
      await three();
      change(second, (text) => {
        const annotations = new Map(text.annotations);
        annotations.delete('tiphys.dev/chunk');
        if (number !== undefined) annotations.set('tiphys.dev/chunk', number);
        return { ...text, annotations };
      });
      expect(await world.messages()).toEqual(['one']);
      expect((await readRun(store.api, 'shop', 'r1'))?.problem).toMatch(/part 2 .* missing/);
    },
  );

  test('what says nothing of its run is no part of one', async () => {
    await three();
    change(second, (text) => ({ ...text, labels: new Map([['tiphys.dev/platform', 'shop']]) }));
    expect(await listRuns(store.api, 'shop')).toMatchObject([{ run: 'r1' }]);
  });

  test('the parts are read by their numbers, in whatever order the cluster lists them', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => `${index}`);
    for (const text of texts) await world.record([world.warning(text)]);
    const byName = [...store.texts].sort(([a], [b]) => (a < b ? -1 : 1));
    store.texts.clear();
    for (const [name, text] of byName) store.texts.set(name, text);
    expect(await world.messages()).toEqual(texts);
  });

  test('a clock that was set back does not change the order in which a run wrote', async () => {
    const first = world.warning('one');
    clock.jump(-60_000);
    await world.record([first, world.warning('two')]);
    expect(await world.messages()).toEqual(['one', 'two']);
  });
});

describe('the list of runs', () => {
  test('newest first, with what became of them', async () => {
    await world.record([world.warning('a', 'r1'), world.finished('r1', 0)], 'r1');
    await clock.advance(60_000);
    await world.record([world.warning('a', 'r2'), world.finished('r2', 2)], 'r2');
    await clock.advance(60_000);
    await world.record([world.warning('a', 'r3')], 'r3');
    const runs = await listRuns(store.api, 'shop');
    expect(runs.map(({ run, exitStatus }) => [run, exitStatus])).toEqual([
      ['r3', undefined],
      ['r2', 2],
      ['r1', 0],
    ]);
    expect(await listRuns(store.api, 'office')).toEqual([]);
  });

  test('of two that started in the same moment, in the order of their names', async () => {
    for (const run of ['r1', 'r3', 'r2']) await world.record([world.warning('a', run)], run);
    const runs = await listRuns(store.api, 'shop');
    expect(runs.map(({ run }) => run)).toEqual(['r3', 'r2', 'r1']);
  });

  test('the last 20 are kept, all parts of the older ones go', async () => {
    for (let index = 10; index < 35; index++) {
      await world.record([world.warning('a', `r${index}`)], `r${index}`);
      await world.record([world.warning('b', `r${index}`)], `r${index}`);
      await clock.advance(1_000);
    }
    const runs = await listRuns(store.api, 'shop');
    expect(runs.map(({ run }) => run)).toEqual(Array.from({ length: 20 }, (_, i) => `r${34 - i}`));
    expect(store.texts.size).toBe(40);
  });

  test('with all their parts, the oldest first', async () => {
    for (const run of ['r1', 'r2', 'r3', 'r1', 'r2', 'r3']) {
      await world.record([world.warning('a', run)], run);
      await clock.advance(1_000);
    }
    await pruneRuns(store.api, 'shop', 1);
    expect([...store.texts.keys()]).toEqual(['tiphys-run-shop-r3', 'tiphys-run-shop-r3-1']);
  });

  test('other platforms keep theirs', async () => {
    await world.record([world.warning('a')]);
    await pruneRuns(store.api, 'office', 0);
    expect(store.texts.size).toBe(1);
  });
});
