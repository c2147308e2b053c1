// When a look at a shut gate is worth it: Argo CD tells, or Kubernetes tells of what Argo CD may have missed.
import { describe, expect, test } from 'vitest';
import { application, operationState, resource } from '../../test/fakes/application.ts';
import { NodeWorld } from '../../test/fakes/node-world.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { isUnsettled, ResourceNews } from './resource-news.ts';

const DEGRADED = { status: 'Degraded', message: '' };
const bad = (name: string) => resource({ name, health: DEGRADED });
const LONG = 1_000_000;

class NewsWorld extends NodeWorld {
  readonly followed: string[] = [];
  /** Of what is followed. */
  changed: () => void = () => {};
  signal: AbortSignal | undefined;
  changedAt: number | undefined = 0;

  constructor(part: Partial<ApplicationView> = {}) {
    super({ resources: [bad('b')], reconciledAt: 1_000, ...part });
    this.watch.follow = async ({ name }, changed, signal) => {
      this.followed.push(name);
      this.changed = changed;
      this.signal = signal;
      return this.changedAt;
    };
  }

  /** How many milliseconds each of so many waits takes. */
  async spans(count: number, until = LONG): Promise<number[]> {
    const news = new ResourceNews(this.context);
    const all: number[] = [];
    for (let n = 0; n < count; n++) all.push((await this.timed(news.wait(this.view, until))).ms);
    return all;
  }
}

describe('where Kubernetes tells of the resources', () => {
  test('nobody is asked while nothing changes', async () => {
    const world = new NewsWorld();
    expect(await world.spans(1)).toEqual([LONG]);
    expect(world.followed).toEqual(['b']);
  });

  test('Argo CD has two seconds to tell of a change, and is asked then', async () => {
    const world = new NewsWorld();
    void world.clock.sleep(60_000).then(() => world.changed());
    // Nothing more has changed: the next wait has no end.
    expect(await world.spans(2)).toEqual([62_000, LONG - 62_000]);
  });

  test('a change between two waits counts for the next one', async () => {
    const world = new NewsWorld();
    const news = new ResourceNews(world.context);
    world.later(5_000, { health: { ...DEGRADED, lastTransition: 't2' } });
    await world.clock.until(news.wait(world.view, LONG));
    world.changed();
    expect((await world.timed(news.wait(world.view, LONG))).ms).toBe(2_000);
  });

  test('each of them is followed once, until the end', async () => {
    const world = new NewsWorld({ resources: [bad('b'), resource(), bad('c')] });
    const news = new ResourceNews(world.context);
    for (const until of [10, 20]) await world.clock.until(news.wait(world.view, until));
    expect(world.followed).toEqual(['b', 'c']);
    expect(world.signal?.aborted).toBe(false);
    news.close();
    expect(world.signal?.aborted).toBe(true);
  });

  test.each([
    ['before the comparison', 999, LONG],
    ['in its second', 1_000, 2_000],
    ['after it', 1_001, 2_000],
  ])('what changed %s', async (_, changedAt, expected) => {
    const world = new NewsWorld();
    world.changedAt = changedAt;
    expect(await world.spans(1)).toEqual([expected]);
  });

  test('the longer Argo CD has nothing to say, the less it is asked', async () => {
    const world = new NewsWorld();
    const news = new ResourceNews(world.context);
    const all: number[] = [];
    await world.clock.until(news.wait(world.view, 0));
    for (let n = 0; n < 7; n++) {
      world.changed();
      all.push((await world.timed(news.wait(world.view, LONG))).ms);
    }
    expect(all).toEqual([2_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
    world.later(1_000, { health: { ...DEGRADED, lastTransition: 't2' } });
    await world.clock.until(news.wait(world.view, LONG));
    world.changed();
    expect((await world.timed(news.wait(world.view, LONG))).ms).toBe(2_000);
  });

  test('no wait is longer than its deadline', async () => {
    const world = new NewsWorld();
    world.changedAt = 1_000;
    expect(await world.spans(1, 500)).toEqual([500]);
  });
});

describe('Argo CD is asked now and then', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => bad(`b${n}`));

  test.each([
    ['twenty resources', many(20), LONG, 20],
    ['more of them', many(21), 10_000, 0],
    ['nothing that is wrong by itself', [resource()], 10_000, 0],
  ])('for %s', async (_, resources, expected, followed) => {
    const world = new NewsWorld({ resources });
    expect(await world.spans(1)).toEqual([expected]);
    expect(world.followed).toHaveLength(followed);
  });

  test('for the objects of another cluster, where those of the same names are others', async () => {
    const world = new NewsWorld({ remoteCluster: 'https://other' });
    expect(await world.spans(6)).toEqual([10_000, 20_000, 40_000, 80_000, 120_000, 120_000]);
    expect(world.followed).toEqual([]);
  });

  test('where one of them may not be watched', async () => {
    const world = new NewsWorld({ resources: [bad('b'), bad('c')] });
    world.watch.follow = async ({ name }) => (name === 'b' ? undefined : 0);
    expect(await world.spans(1)).toEqual([10_000]);
  });

  test('while its picture may be from before an operation', async () => {
    const world = new NewsWorld({
      sync: { status: 'OutOfSync', revisions: [] },
      operationState: operationState({ finishedAt: 990 }),
    });
    expect(await world.spans(2)).toEqual([2_000, 10_000]);
  });
});

test.each([
  ['just after an operation', 'OutOfSync', 100, 115, true],
  ['a second later', 'OutOfSync', 100, 116, false],
  ['what is Synced', 'Synced', 100, 101, false],
  ['without an end', 'OutOfSync', undefined, 101, false],
])('a comparison that the next one may contradict: %s', (_, status, finishedAt, at, expected) => {
  const seen = application({
    sync: { status, revisions: [] },
    operationState: operationState({ finishedAt }),
    reconciledAt: at,
  });
  expect(isUnsettled(seen)).toBe(expected);
});

test('without any operation, every comparison counts', () => {
  const sync = { status: 'OutOfSync', revisions: [] };
  expect(isUnsettled(application({ sync, operationState: undefined }))).toBe(false);
});
