// A generated member whose Applications become more, or other ones, while it is in work.
import { beforeEach, describe, expect, test } from 'vitest';
import { GeneratedNodeWorld, SET, SHOP } from '../../test/fakes/generated-node-world.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { runGenerated } from './run-generated.ts';

let world: GeneratedNodeWorld;

beforeEach(() => {
  world = new GeneratedNodeWorld();
});

describe('what has changed when all are through', () => {
  const OUT: Partial<ApplicationView> = { sync: { status: 'OutOfSync', revisions: [] } };
  const at = (ms: number, change: () => void) => void world.clock.sleep(ms).then(change);
  const twoOf = () => {
    for (const name of ['shop-a', 'shop-b']) world.made(name, OUT);
    return runGenerated(world.ofMember);
  };

  test.each<[string, () => void, string]>([
    [
      'one in another project',
      () => world.made('shop-c', { project: 'x' }),
      '"shop-c" belongs to it',
    ],
    [
      'a set that syncs by RollingSync',
      () => world.sets.splice(0, 1, { ...SET, rollingSync: true }),
      'RollingSync',
    ],
    [
      'one that cannot be read',
      () => world.unreadable.push({ name: 'shop-c', namespace: 'argocd', why: 'x' }),
      '"shop-c" cannot be read',
    ],
  ])('%s fails the member', async (_, change, message) => {
    const running = twoOf();
    at(6_000, change);
    const { outcome, cause, members } = await world.clock.until(running, 3_600_000);
    expect([outcome, cause?.node]).toEqual(['failed', 'app:shop']);
    expect(cause?.message).toContain(message);
    expect(members?.map((one) => one.outcome)).toEqual(['healthy', 'healthy']);
  });

  test('what has come meanwhile is deployed as well', async () => {
    const running = twoOf();
    at(6_000, () => world.made('shop-c', OUT));
    const { outcome, members, operations } = await world.clock.until(running, 3_600_000);
    expect(outcome).toBe('healthy');
    expect(members?.map((one) => [one.application, one.outcome])).toEqual([
      ['shop-a', 'healthy'],
      ['shop-b', 'healthy'],
      ['shop-c', 'healthy'],
    ]);
    expect(operations).toContain('run/app:shop:shop-c/1');
    expect(world.holds).toBe(1);
  });

  test('one of these that fails fails the member', async () => {
    const running = twoOf();
    at(6_000, () => world.made('shop-c', { skipped: true }));
    const { outcome, cause } = await world.clock.until(running, 3_600_000);
    expect([outcome, cause?.message]).toEqual([
      'failed',
      'shop-c: Argo CD does not reconcile it (annotation skip-reconcile)',
    ]);
  });

  test.each([
    [3, 'healthy', undefined],
    [4, 'failed', 'its generator keeps creating Applications: shop-4'],
  ])('%i times one more: %s', async (most, outcome, message) => {
    const given = world.ofMember;
    const { list } = given.session.target.applications;
    let looks = 0;
    // The first two looks are those before the first round.
    const growing: typeof list = async (...args) => {
      looks++;
      if (looks > 2 && looks <= 2 + most) world.made(`shop-${looks - 2}`);
      return await list(...args);
    };
    Object.assign(given.session.target.applications, { list: growing });
    for (const name of ['shop-a', 'shop-b']) world.made(name, OUT);
    const result = await world.clock.until(runGenerated(given), 3_600_000);
    expect([result.outcome, result.cause?.message]).toEqual([outcome, message]);
    expect(result.members).toHaveLength(5);
  });
});

describe('a selector', () => {
  const SELECTED = { ...SHOP, generated: { matchLabels: { team: 'shop' }, atLeast: 1 } };
  const mine = { labels: new Map([['team', 'shop']]), applicationSet: undefined };

  const makerAtWork = () => {
    const ended = new AbortController();
    const none = () => undefined;
    world.walk.maker = { ended: ended.signal, failure: none, contradiction: none };
    return ended;
  };

  test('is not complete while the parent that makes them is at work', async () => {
    world = new GeneratedNodeWorld(SELECTED);
    const ended = makerAtWork();
    world.made('shop-a', mine);
    const running = runGenerated(world.ofMember);
    void world.clock.sleep(200_000).then(() => {
      world.made('shop-b', mine);
      ended.abort();
    });
    const { members } = await world.clock.until(running, 3_600_000);
    expect(members?.map((one) => one.application)).toEqual(['shop-a', 'shop-b']);
    expect(world.waits).toEqual(['the parent that creates its Applications is syncing']);
  });

  test('goes on with what is there when that parent has failed', async () => {
    world = new GeneratedNodeWorld(SELECTED);
    makerAtWork();
    const failure = { node: 'open:stack:s', message: 'no' };
    Object.assign(world.walk.maker ?? {}, { failure: () => failure });
    world.made('shop-a', mine);
    expect(await world.run()).toMatchObject({ outcome: 'unchanged' });
    expect(world.waits).toEqual([]);
  });

  test('nor is a parent waited for that contradicts the graph, or for longer than a sync takes', async () => {
    world = new GeneratedNodeWorld(SELECTED);
    makerAtWork();
    world.made('shop-a', mine);
    expect((await world.run()).outcome).toBe('unchanged');
    expect(world.clock.monotonic()).toBeGreaterThanOrEqual(300_000);
    Object.assign(world.walk.maker ?? {}, { contradiction: () => 'b' });
    const begin = world.clock.monotonic();
    expect((await world.run()).outcome).toBe('unchanged');
    expect(world.clock.monotonic() - begin).toBeLessThan(60_000);
  });

  test('nor one that may wait for them: one is not Healthy', async () => {
    world = new GeneratedNodeWorld(SELECTED);
    makerAtWork();
    world.made('shop-a', mine);
    const sync = { status: 'OutOfSync', revisions: [] };
    const health = { status: 'Missing', message: '', lastTransition: undefined };
    world.made('shop-b', { ...mine, sync, health, operationState: undefined });
    expect((await world.run()).outcome).toBe('healthy');
    expect(world.clock.monotonic()).toBeLessThan(60_000);
  });

  test('an ApplicationSet says itself what is complete', async () => {
    makerAtWork();
    for (const name of ['shop-a', 'shop-b']) world.made(name);
    expect((await world.run()).outcome).toBe('unchanged');
    expect(world.clock.monotonic()).toBeLessThan(60_000);
  });
});
