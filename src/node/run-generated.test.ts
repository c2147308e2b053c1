// The program of a generated member, with no run around it.
import { beforeEach, describe, expect, test } from 'vitest';
import { GeneratedNodeWorld, SET, SHOP } from '../../test/fakes/generated-node-world.ts';
import type { EventBody } from '../run/events.ts';
import { runGenerated } from './run-generated.ts';

let world: GeneratedNodeWorld;

beforeEach(() => {
  world = new GeneratedNodeWorld();
});

const types = () => world.events.map(({ type }: EventBody) => type);

describe('all that is there', () => {
  test('is deployed, and told of the member, each by its name', async () => {
    for (const name of ['shop-b', 'shop-a'])
      world.made(name, { sync: { status: 'OutOfSync', revisions: [] } });
    const { outcome, members, evidence, operations } = await world.run();
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
    world.made('shop-a');
    world.made('shop-b');
    const { outcome, operations } = await world.run();
    expect([outcome, operations, world.holds]).toEqual(['unchanged', [], 0]);
    expect(types()).not.toContain('node.sync-requested');
  });

  test('none, where none is asked for', async () => {
    world = new GeneratedNodeWorld({ ...SHOP, generated: { applicationSet: 'set', atLeast: 0 } });
    expect(await world.run()).toMatchObject({ outcome: 'unchanged', members: [] });
  });

  test('one that fails fails the member', async () => {
    world.made('shop-a', { sync: { status: 'OutOfSync', revisions: [] } });
    world.made('shop-b', { skipped: true });
    const { outcome, cause, members } = await world.run();
    expect(outcome).toBe('failed');
    expect(cause).toEqual({
      node: 'app:shop',
      message: 'shop-b: Argo CD does not reconcile it (annotation skip-reconcile)',
    });
    expect(members?.map((one) => one.outcome)).toEqual(['healthy', 'failed']);
  });

  test('one that is gone at the end fails the member', async () => {
    world.made('shop-a');
    world.made('shop-b', { sync: { status: 'OutOfSync', revisions: [] } });
    const running = runGenerated(world.ofMember);
    void world.clock.sleep(9_000).then(() => {
      world.left.add('shop-a');
      world.argocd.change('shop-a', {
        health: { status: 'Degraded', message: '', lastTransition: undefined },
      });
    });
    const { outcome, cause } = await world.clock.until(running, 3_600_000);
    expect(outcome).toBe('failed');
    expect(cause?.message).toMatch(/^shop-a: no longer passes its gate/);
  });
});

describe('what is not there', () => {
  test('too few, for as long as a sync may take', async () => {
    world.made('shop-a');
    const { outcome, cause } = await world.run();
    expect([outcome, cause?.message]).toEqual(['failed', '1 of at least 2 Applications exist']);
    expect(world.holds).toBe(1);
    expect(world.stages).toContain('appearing');
    expect(world.clock.monotonic()).toBeGreaterThanOrEqual(300_000);
  });

  test('one that comes while the others are waited for belongs to them', async () => {
    world.made('shop-a');
    const running = runGenerated(world.ofMember);
    void world.clock.sleep(60_000).then(() => world.made('shop-b'));
    void world.clock.sleep(64_000).then(() => world.made('shop-c'));
    const { members } = await world.clock.until(running, 3_600_000);
    expect(members?.map((one) => one.application)).toEqual(['shop-a', 'shop-b', 'shop-c']);
  });

  test('the set, or its word that it is up to date', async () => {
    world.made('shop-a');
    world.made('shop-b');
    world.sets = [{ ...SET, upToDate: false }];
    const running = runGenerated(world.ofMember);
    void world.clock.sleep(30_000).then(() => world.sets.splice(0, 1, SET));
    expect((await world.clock.until(running, 3_600_000)).outcome).toBe('unchanged');
    expect(world.waits).toEqual(['ApplicationSet "set" is not up to date']);
    world.sets = [{ ...SET, namespace: 'other' }];
    expect((await world.run()).cause?.message).toBe('ApplicationSet "set" does not exist');
  });

  test('a parent that failed is why', async () => {
    const failure = { node: 'open:stack:s', message: 'no' };
    const ended = new AbortController();
    world.walk.maker = {
      ended: ended.signal,
      failure: () => failure,
      contradiction: () => undefined,
    };
    expect(await world.run()).toMatchObject({ outcome: 'skipped', cause: failure });
  });

  test('a parent at work may bring it later than one sync takes', async () => {
    const ended = new AbortController();
    world.walk.maker = {
      ended: ended.signal,
      failure: () => undefined,
      contradiction: () => undefined,
    };
    const running = runGenerated(world.ofMember);
    void world.clock
      .sleep(400_000)
      .then(() => ['shop-a', 'shop-b'].map((name) => world.made(name)));
    expect((await world.clock.until(running, 3_600_000)).outcome).toBe('unchanged');
  });
});

describe('what no waiting mends', () => {
  test.each([
    [
      'another project',
      { project: 'other' },
      '"shop-b" belongs to it, but does not match "shop-*"',
    ],
    [
      'another owner',
      { applicationSet: 'x' },
      '"shop-b" does not belong to it, but matches "shop-*"',
    ],
  ])('%s', async (_, part, message) => {
    world.made('shop-a');
    world.made('shop-b', part);
    const { outcome, cause } = await world.run();
    expect(outcome).toBe('failed');
    expect(cause?.message).toContain(message);
    expect([world.holds, types()]).toEqual([1, []]);
  });

  test.each([
    [{ rollingSync: true }, 'ApplicationSet "set" uses RollingSync, which cannot be put on hold'],
    [{ deleting: true }, 'ApplicationSet "set" is being deleted'],
  ])('a set that is %j', async (part, message) => {
    world.made('shop-a');
    world.made('shop-b');
    world.sets = [{ ...SET, ...part }];
    expect((await world.run()).cause?.message).toBe(message);
  });

  test('one that cannot be read', async () => {
    for (const name of ['shop-a', 'shop-b']) world.made(name);
    world.unreadable = [{ name: 'other', namespace: 'argocd', why: 'x' }];
    expect((await world.run()).outcome).toBe('unchanged');
    world.unreadable = [{ name: 'shop-c', namespace: 'argocd', why: 'spec: no' }];
    expect((await world.run()).cause?.message).toBe(
      'Application "shop-c" cannot be read: spec: no',
    );
  });
});
