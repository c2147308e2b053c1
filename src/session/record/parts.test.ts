// The record of a run with several processes: each writes its own part beside the run's own record.
import { beforeEach, describe, expect, test } from 'vitest';
import type { FakeStore } from '../../../test/fakes/cluster.ts';
import { RecordWorld } from '../../../test/fakes/record-world.ts';
import type { VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import type { RunEvent } from '../../run/events.ts';
import { listRuns, readRun, removeParts, unrecorded } from './history.ts';

let world: RecordWorld;
let clock: VirtualClock;
let store: FakeStore;

beforeEach(() => {
  world = new RecordWorld();
  ({ clock, store } = world);
});

const read = () => readRun(store.api, 'shop', 'r1');
const textsOf = (events: readonly RunEvent[] = []) =>
  events.map((event) => (event.type === 'run.warning' ? event.message : event.type));

/** The run's own record and those of two nodes, whose times lie between each other. */
async function threeProcesses(): Promise<void> {
  const texts: Record<string, RunEvent[]> = { own: [], a: [], b: [] };
  for (const who of ['own', 'a', 'b', 'a', 'own', 'b']) {
    texts[who]?.push(world.warning(`${who}${texts[who]?.length}`));
    await clock.advance(1_000);
  }
  const { own = [], a = [], b = [] } = texts;
  await world.record(a, 'r1', 'a');
  await world.record(own);
  await world.record(b, 'r1', 'b');
}

describe('reading', () => {
  test('all of it by time, and apart what the processes wrote', async () => {
    await threeProcesses();
    const history = await read();
    expect(textsOf(history?.events)).toEqual(['own0', 'a0', 'b0', 'a1', 'own1', 'b1']);
    expect(textsOf(history?.own)).toEqual(['own0', 'own1']);
    expect(textsOf(history?.loose)).toEqual(['a0', 'a1', 'b0', 'b1']);
  });

  test('a process that continues goes on with its own part', async () => {
    await threeProcesses();
    await world.record([world.warning('a2')], 'r1', 'a');
    expect([...store.texts.keys()]).toContain('tiphys-run-shop-r1-a-1');
    expect(textsOf((await read())?.loose)).toEqual(['a0', 'a1', 'a2', 'b0', 'b1']);
  });

  test('a damaged part of one process is told; the others are shown', async () => {
    await threeProcesses();
    const name = 'tiphys-run-shop-r1-b';
    const text = store.texts.get(name);
    if (text) store.texts.set(name, { ...text, data: new Map() });
    const history = await read();
    expect(history?.problem).toMatch(/part 1 .* damaged/);
    expect(textsOf(history?.events)).toEqual(['own0', 'a0', 'a1', 'own1']);
  });
});

describe('the summary of a run', () => {
  test('is that of its own record, though a process started earlier and has an end', async () => {
    await world.record([world.warning('a'), world.finished('r1', 2)], 'r1', 'a');
    await clock.advance(1_000);
    const first = world.warning('own');
    await world.record([first, world.finished('r1', 0)]);
    expect(await listRuns(store.api, 'shop')).toMatchObject([
      { run: 'r1', started: first.time, exitStatus: 0 },
    ]);
  });

  test('is that of a process where it has no record of its own yet, and then it has no end', async () => {
    const first = world.warning('a');
    await world.record([first, world.finished('r1', 2)], 'r1', 'a');
    expect(await listRuns(store.api, 'shop')).toMatchObject([
      { run: 'r1', started: first.time, exitStatus: undefined },
    ]);
  });
});

describe('what is not in the own record yet', () => {
  test('is what the processes wrote, by time, without what is there', async () => {
    await threeProcesses();
    expect(textsOf(unrecorded(await read()))).toEqual(['a0', 'b0', 'a1', 'b1']);
    const [first, , , last] = unrecorded(await read());
    await world.record([first, last].filter((event) => event !== undefined));
    expect(textsOf(unrecorded(await read()))).toEqual(['b0', 'a1']);
  });

  test('is nothing of a run that nobody knows', () => {
    expect(unrecorded(undefined)).toEqual([]);
  });
});

describe('removing what the processes wrote', () => {
  test('leaves the own record, and other runs', async () => {
    await threeProcesses();
    await world.record([world.warning('other', 'r2')], 'r2', 'a');
    await removeParts(store.api, 'shop', 'r1', () => true);
    expect([...store.texts.keys()].sort()).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r2-a']);
  });

  test('ends with the right to write', async () => {
    await threeProcesses();
    let left = 1;
    await removeParts(store.api, 'shop', 'r1', () => left-- > 0);
    expect([...store.texts.keys()]).toEqual(['tiphys-run-shop-r1', 'tiphys-run-shop-r1-b']);
  });
});

test('a process does not remove old runs: that is for the end of the run', async () => {
  for (let index = 10; index < 32; index++)
    await world.record([world.warning('a', `r${index}`)], `r${index}`, 'a');
  expect(store.texts.size).toBe(22);
  await world.record([world.warning('a', 'r40')], 'r40');
  expect(store.texts.size).toBe(20);
});
