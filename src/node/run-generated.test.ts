// The program of a generated member, with no run around it.
import { beforeEach, describe, expect, test } from 'vitest';
import { application } from '../../test/fakes/application.ts';
import { NodeWorld, nodeOf } from '../../test/fakes/node-world.ts';
import type { ApplicationView, UnreadableApplication } from '../ports/application-view.ts';
import type { ApplicationSetView } from '../ports/target.ts';
import type { EventBody } from '../run/events.ts';
import type { NodeContext } from './node-context.ts';
import { runGenerated } from './run-generated.ts';

const SHOP = nodeOf('application', {
  id: 'app:shop',
  application: 'shop-*',
  generated: { applicationSet: 'set', atLeast: 2 },
});
const SET: ApplicationSetView = {
  ...{ name: 'set', namespace: 'argocd', uid: 's', deleting: false, rollingSync: false },
  ...{ trackedBy: undefined, upToDate: true },
};

let world: NodeWorld;
let sets: ApplicationSetView[];
let unreadable: UnreadableApplication[];
let left: Set<string>;

beforeEach(() => {
  world = new NodeWorld({}, SHOP);
  sets = [SET];
  unreadable = [];
  left = new Set();
});

const made = (name: string, part: Partial<ApplicationView> = {}) => {
  world.argocd.add(name);
  const { namespace, uid } = world.argocd.view(name);
  const operationState = { ...world.view.operationState } as ApplicationView['operationState'];
  const well = application({ name, namespace, uid, project: 'default', operationState });
  world.argocd.change(name, { ...well, applicationSet: 'set', ...part });
};

function context(): NodeContext {
  const given = world.context;
  const list: NodeContext['session']['target']['applications']['list'] = async (_, told) => {
    for (const one of unreadable) told?.(one);
    return [...given.watch.all()].filter(({ name }) => name !== 'a' && !left.has(name));
  };
  const { session } = given;
  const target = {
    ...session.target,
    applications: { ...session.target.applications, list },
    applicationSets: { list: async () => sets },
  };
  const of = (one: NodeContext): NodeContext => ({ ...one, session: { ...session, target } });
  return { ...of(given), forChild: (child) => of({ ...world.context, node: child }) };
}

const run = () => world.clock.until(runGenerated(context()), 3_600_000);
const types = () => world.events.map(({ type }: EventBody) => type);

describe('all that is there', () => {
  test('is deployed, and told of the member, each by its name', async () => {
    for (const name of ['shop-b', 'shop-a'])
      made(name, { sync: { status: 'OutOfSync', revisions: [] } });
    const { outcome, members, evidence, operations } = await run();
    expect([outcome, evidence]).toEqual(['healthy', null]);
    expect(members?.map((one) => [one.application, one.outcome])).toEqual([
      ['shop-a', 'healthy'],
      ['shop-b', 'healthy'],
    ]);
    expect(operations).toEqual(['run/app:shop:shop-a/1', 'run/app:shop:shop-b/1']);
    const asked = world.events.flatMap((event) =>
      event.type === 'node.sync-requested' ? [[event.node, event.application]] : [],
    );
    expect(asked).toEqual([
      ['app:shop', 'shop-a'],
      ['app:shop', 'shop-b'],
    ]);
    expect(world.holds).toBe(1);
    expect(world.stages).not.toContain('dwelling');
  });

  test('is left alone where it is well', async () => {
    made('shop-a');
    made('shop-b');
    const { outcome, operations } = await run();
    expect([outcome, operations, world.holds]).toEqual(['unchanged', [], 0]);
    expect(types()).not.toContain('node.sync-requested');
  });

  test('none, where none is asked for', async () => {
    world = new NodeWorld({}, { ...SHOP, generated: { applicationSet: 'set', atLeast: 0 } });
    expect(await run()).toMatchObject({ outcome: 'unchanged', members: [] });
  });

  test('one that fails fails the member', async () => {
    made('shop-a', { sync: { status: 'OutOfSync', revisions: [] } });
    made('shop-b', { skipped: true });
    const { outcome, cause, members } = await run();
    expect(outcome).toBe('failed');
    expect(cause).toEqual({
      node: 'app:shop',
      message: 'shop-b: Argo CD was told to skip it (skip-reconcile)',
    });
    expect(members?.map((one) => one.outcome)).toEqual(['healthy', 'failed']);
  });

  test('one that is gone at the end fails the member', async () => {
    made('shop-a');
    made('shop-b', { sync: { status: 'OutOfSync', revisions: [] } });
    const running = runGenerated(context());
    void world.clock.sleep(9_000).then(() => {
      left.add('shop-a');
      world.argocd.change('shop-a', {
        health: { status: 'Degraded', message: '', lastTransition: undefined },
      });
    });
    const { outcome, cause } = await world.clock.until(running, 3_600_000);
    expect(outcome).toBe('failed');
    expect(cause?.message).toMatch(/^shop-a: fell after its gate had opened/);
  });
});

describe('what has changed when all are through', () => {
  const OUT: Partial<ApplicationView> = { sync: { status: 'OutOfSync', revisions: [] } };
  const at = (ms: number, change: () => void) => void world.clock.sleep(ms).then(change);
  const twoOf = () => {
    for (const name of ['shop-a', 'shop-b']) made(name, OUT);
    return runGenerated(context());
  };

  test.each<[string, () => void, string]>([
    ['one in another project', () => made('shop-c', { project: 'x' }), '"shop-c" belongs to it'],
    [
      'a set that syncs by RollingSync',
      () => sets.splice(0, 1, { ...SET, rollingSync: true }),
      'RollingSync',
    ],
    [
      'one that cannot be read',
      () => unreadable.push({ name: 'shop-c', namespace: 'argocd', why: 'x' }),
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
    at(6_000, () => made('shop-c', OUT));
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
    at(6_000, () => made('shop-c', { skipped: true }));
    const { outcome, cause } = await world.clock.until(running, 3_600_000);
    expect([outcome, cause?.message]).toEqual([
      'failed',
      'shop-c: Argo CD was told to skip it (skip-reconcile)',
    ]);
  });

  test.each([
    [3, 'healthy', undefined],
    [4, 'failed', 'its generator keeps making Applications: shop-4'],
  ])('%i times one more: %s', async (most, outcome, message) => {
    const given = context();
    const { list } = given.session.target.applications;
    let looks = 0;
    // The first two looks are those before the first round.
    const growing: typeof list = async (...args) => {
      looks++;
      if (looks > 2 && looks <= 2 + most) made(`shop-${looks - 2}`);
      return await list(...args);
    };
    Object.assign(given.session.target.applications, { list: growing });
    for (const name of ['shop-a', 'shop-b']) made(name, OUT);
    const result = await world.clock.until(runGenerated(given), 3_600_000);
    expect([result.outcome, result.cause?.message]).toEqual([outcome, message]);
    expect(result.members).toHaveLength(5);
  });
});

describe('what is not there', () => {
  test('too few, for as long as a sync may take', async () => {
    made('shop-a');
    const { outcome, cause } = await run();
    expect([outcome, cause?.message]).toEqual(['failed', '1 of at least 2 Applications exist']);
    expect(world.holds).toBe(1);
    expect(world.stages).toContain('appearing');
    expect(world.clock.monotonic()).toBeGreaterThanOrEqual(300_000);
  });

  test('one that comes while the others are waited for belongs to them', async () => {
    made('shop-a');
    const running = runGenerated(context());
    void world.clock.sleep(60_000).then(() => made('shop-b'));
    void world.clock.sleep(64_000).then(() => made('shop-c'));
    const { members } = await world.clock.until(running, 3_600_000);
    expect(members?.map((one) => one.application)).toEqual(['shop-a', 'shop-b', 'shop-c']);
  });

  test('the set, or its word that it is up to date', async () => {
    made('shop-a');
    made('shop-b');
    sets = [{ ...SET, upToDate: false }];
    const running = runGenerated(context());
    void world.clock.sleep(30_000).then(() => sets.splice(0, 1, SET));
    expect((await world.clock.until(running, 3_600_000)).outcome).toBe('unchanged');
    expect(world.waits).toEqual(['ApplicationSet "set" is not up to date']);
    sets = [{ ...SET, namespace: 'other' }];
    expect((await run()).cause?.message).toBe('there is no ApplicationSet "set"');
  });

  test('a parent that failed is why', async () => {
    const failure = { node: 'open:stack:s', message: 'no' };
    const ended = new AbortController();
    world.walk.maker = {
      ended: ended.signal,
      failure: () => failure,
      contradiction: () => undefined,
    };
    expect(await run()).toMatchObject({ outcome: 'skipped', cause: failure });
  });

  test('a parent at work may bring it later than one sync takes', async () => {
    const ended = new AbortController();
    world.walk.maker = {
      ended: ended.signal,
      failure: () => undefined,
      contradiction: () => undefined,
    };
    const running = runGenerated(context());
    void world.clock.sleep(400_000).then(() => ['shop-a', 'shop-b'].map((name) => made(name)));
    expect((await world.clock.until(running, 3_600_000)).outcome).toBe('unchanged');
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
    world = new NodeWorld({}, SELECTED);
    const ended = makerAtWork();
    made('shop-a', mine);
    const running = runGenerated(context());
    void world.clock.sleep(200_000).then(() => {
      made('shop-b', mine);
      ended.abort();
    });
    const { members } = await world.clock.until(running, 3_600_000);
    expect(members?.map((one) => one.application)).toEqual(['shop-a', 'shop-b']);
    expect(world.waits).toEqual(['the parent that makes its Applications is being synced']);
  });

  test('goes on with what is there when that parent has failed', async () => {
    world = new NodeWorld({}, SELECTED);
    makerAtWork();
    const failure = { node: 'open:stack:s', message: 'no' };
    Object.assign(world.walk.maker ?? {}, { failure: () => failure });
    made('shop-a', mine);
    expect(await run()).toMatchObject({ outcome: 'unchanged' });
    expect(world.waits).toEqual([]);
  });

  test('nor is a parent waited for that contradicts the graph, or for longer than a sync takes', async () => {
    world = new NodeWorld({}, SELECTED);
    makerAtWork();
    made('shop-a', mine);
    expect((await run()).outcome).toBe('unchanged');
    expect(world.clock.monotonic()).toBeGreaterThanOrEqual(300_000);
    Object.assign(world.walk.maker ?? {}, { contradiction: () => 'b' });
    const begin = world.clock.monotonic();
    expect((await run()).outcome).toBe('unchanged');
    expect(world.clock.monotonic() - begin).toBeLessThan(60_000);
  });

  test('nor one that may wait for them: one is not Healthy', async () => {
    world = new NodeWorld({}, SELECTED);
    makerAtWork();
    made('shop-a', mine);
    const sync = { status: 'OutOfSync', revisions: [] };
    const health = { status: 'Missing', message: '', lastTransition: undefined };
    made('shop-b', { ...mine, sync, health, operationState: undefined });
    expect((await run()).outcome).toBe('healthy');
    expect(world.clock.monotonic()).toBeLessThan(60_000);
  });

  test('an ApplicationSet says itself what is complete', async () => {
    makerAtWork();
    for (const name of ['shop-a', 'shop-b']) made(name);
    expect((await run()).outcome).toBe('unchanged');
    expect(world.clock.monotonic()).toBeLessThan(60_000);
  });
});

describe('what no waiting mends', () => {
  test.each([
    ['another project', { project: 'other' }, '"shop-b" belongs to it, but is not "shop-*"'],
    ['another owner', { applicationSet: 'x' }, '"shop-b" does not belong to it, but is "shop-*"'],
  ])('%s', async (_, part, message) => {
    made('shop-a');
    made('shop-b', part);
    const { outcome, cause } = await run();
    expect(outcome).toBe('failed');
    expect(cause?.message).toContain(message);
    expect([world.holds, types()]).toEqual([1, []]);
  });

  test.each([
    [{ rollingSync: true }, 'ApplicationSet "set" syncs by RollingSync, which cannot be held'],
    [{ deleting: true }, 'ApplicationSet "set" is being deleted'],
  ])('a set that is %j', async (part, message) => {
    made('shop-a');
    made('shop-b');
    sets = [{ ...SET, ...part }];
    expect((await run()).cause?.message).toBe(message);
  });

  test('one that cannot be read', async () => {
    for (const name of ['shop-a', 'shop-b']) made(name);
    unreadable = [{ name: 'other', namespace: 'argocd', why: 'x' }];
    expect((await run()).outcome).toBe('unchanged');
    unreadable = [{ name: 'shop-c', namespace: 'argocd', why: 'spec: no' }];
    expect((await run()).cause?.message).toBe('Application "shop-c" cannot be read: spec: no');
  });
});
