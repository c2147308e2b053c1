// The record of a run is in ConfigMaps, which others may be able to write: what is not a run's own writing is not shown as one.
import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredText } from '../../src/ports/record-store.ts';
import type { RunEvent } from '../../src/run/events.ts';
import { chunkOf, compress } from '../../src/session/record/chunk.ts';
import { lastOf, listRuns, readRun, readRuns } from '../../src/session/record/history.ts';
import { renderHistory, renderRuns } from '../../src/view/runs-text.ts';
import { PLAN, RecordWorld } from '../fakes/record-world.ts';

const LATER = '2999-01-01T00:00:00.000Z';
let world: RecordWorld;
beforeEach(async () => {
  world = new RecordWorld();
  await world.record([world.warning('a', 'r1'), world.finished('r1', 2)], 'r1');
});

function forge(run: string, events: readonly unknown[], exitStatus: number | undefined = 0): void {
  const head = { number: 0, started: LATER, exitStatus, cut: false };
  put(chunkOf({ platform: 'shop', run, plan: PLAN }, head, compress(events as RunEvent[])));
}

const put = (text: StoredText) => world.store.texts.set(text.name, text);
const runs = () => listRuns(world.store.api, 'shop');
const finished = (run: string) => ({ ...world.finished(run, 0), time: LATER });

test('a list of runs tells deployments from teardowns, as far as their records do', async () => {
  const started: RunEvent = {
    ...{ type: 'run.started', time: new Date(world.clock.now()).toISOString(), run: 'down' },
    ...{ action: 'teardown', platform: 'shop', plan: PLAN, engine: 'embedded', scope: [] },
    ...{ nodes: 1, expectedDuration: 1, resumed: false },
  };
  await world.record([started, world.finished('down', 0)], 'down');
  const all = await runs();
  expect(all.map(({ run, action }) => [run, action])).toEqual([
    ['r1', undefined],
    ['down', 'teardown'],
  ]);
  expect(renderRuns(all)).toMatch(/r1 +- .*\ndown +teardown /);
});

describe('a record that says how a run ended', () => {
  test.each<[string, () => readonly unknown[]]>([
    ['and has no events', () => []],
    ['and does not have its end', () => [{ ...world.warning('a', 'forged'), time: LATER }]],
    ['but ended otherwise', () => [{ ...finished('forged'), exitStatus: 1 }]],
    ['and began at another time', () => [world.warning('a', 'forged'), finished('forged')]],
    ['with something that is no event', () => [finished('forged'), { type: 'node.waiting' }]],
  ])('%s is damaged, and not the last run', async (_, events) => {
    forge('forged', events());
    const all = await runs();
    expect(all.map(({ run, exitStatus }) => [run, exitStatus])).toEqual([
      ['r1', 2],
      ['forged', undefined],
    ]);
    expect(all.map(({ isDamaged }) => isDamaged)).toEqual([undefined, true]);
    expect(renderRuns(all)).toMatch(/forged +- +\S+ +record damaged/);
  });

  test('counts for no estimate, and the newest of the others comes first', async () => {
    await world.clock.advance(60_000);
    await world.record([world.warning('b', 'r2'), world.finished('r2', 0)], 'r2');
    forge('forged', [{ ...finished('forged'), exitStatus: 1 }]);
    const all = await readRuns(world.store.api, 'shop');
    expect(all.map(([first]) => first?.run)).toEqual(['r2', 'r1']);
  });

  test('in whole is not the last run where the Lease names another one', async () => {
    forge('forged', [finished('forged')]);
    const all = await runs();
    expect(all.map(({ run }) => run)).toEqual(['forged', 'r1']);
    const lease = (run: string) =>
      ({
        annotations: new Map(Object.entries({ 'tiphys.dev/run': run, 'tiphys.dev/plan': PLAN })),
      }) as never;
    expect(lastOf(all, lease('r1'))).toMatchObject({ run: 'r1', exitStatus: 2 });
    expect(lastOf(all, lease('r0'))).toMatchObject({ run: 'forged' });
    expect(lastOf(all, undefined)).toMatchObject({ run: 'forged' });
  });

  test('does not push those of real runs out', async () => {
    for (let index = 0; index < 30; index++) forge(`forged-${index}`, []);
    await world.record([world.warning('a', 'r2')], 'r2');
    expect((await runs()).slice(0, 2).map(({ run }) => run)).toEqual(['r2', 'r1']);
  });

  test('of a run whose name is none is not shown at all', async () => {
    forge('x\u001b[2K', [finished('x')]);
    expect(await runs()).toHaveLength(1);
  });
});

test.each<[string, unknown]>([
  ['null', null],
  ['a number', 7],
  ['nothing', {}],
  ['a type alone', { type: 'run.warning' }],
  ['no time', { type: 'run.finished', run: 'r2', exitStatus: 0, counts: {}, held: [] }],
  ['a time that is none', { type: 'run.warning', run: 'r2', time: 7, message: 'x' }],
  ['a hold of nothing', { type: 'hold.changed', run: 'r2', time: LATER, project: 'p' }],
  ['a wait for nothing', { type: 'node.waiting', run: 'r2', time: LATER, node: 'app:a' }],
  ['an object without a name', { type: 'object.removed', run: 'r2', time: LATER, resource: {} }],
  [
    'an unknown outcome',
    { type: 'node.finished', run: 'r2', time: LATER, node: 'a', outcome: 'x' },
  ],
])('where an event has %s, the record is damaged and `runs` goes on', async (_, event) => {
  const before = { ...world.warning('shown', 'r2'), time: LATER };
  forge('r2', [before], undefined);
  const head = { number: 1, started: LATER, exitStatus: undefined, cut: false };
  const recorded = { platform: 'shop', run: 'r2', plan: PLAN };
  put(chunkOf(recorded, head, compress([event as RunEvent])));
  const history = await readRun(world.store.api, 'shop', 'r2');
  expect(history?.problem).toMatch(/part 2 of the record is damaged/);
  expect(renderHistory(history?.events ?? [])).toBe('00:00:00 warning: shown\n');
});

test('an event that only a later version knows is left out, and the others are shown', async () => {
  const known = { ...world.warning('shown', 'r2'), time: LATER };
  forge('r2', [known, { type: 'run.paused', run: 'r2', time: LATER }], undefined);
  const history = await readRun(world.store.api, 'shop', 'r2');
  expect(history).toMatchObject({ events: [known], problem: undefined });
});
