// What a look at a shut gate says beside "not yet": Git moved on, another client's operation, who is to blame.
import { describe, expect, test } from 'vitest';
import { operationState, resource } from '../../test/fakes/application.ts';
import { bad, GateWorld, health, ID, WITHOUT } from '../../test/fakes/gate-world.ts';
import { nodeOf, request } from '../../test/fakes/node-world.ts';
import type { OperationState, ResourceView } from '../ports/application-view.ts';
import { timeUntil } from './sync-time.ts';

const drifted = (revision: string) => ({
  sync: { status: 'OutOfSync', revisions: [revision] },
  resources: [resource({ name: 'b', status: 'OutOfSync' })],
});

describe('Git moved on', () => {
  const moved = (part: Parameters<typeof Object.assign>[1]) => {
    const world = new GateWorld({ ...drifted('rev-2'), ...part });
    world.argocd.revision = 'rev-2';
    return world;
  };

  test('that is known when the comparison is no more just after the operation', async () => {
    const world = moved({});
    const { result, ms } = await world.run();
    expect(result).toEqual({ kind: 'superseded' });
    expect(ms).toBeGreaterThan(15_000);
    expect(ms).toBeLessThan(60_000);
  });

  test('not where it is OutOfSync at the same commit', async () => {
    const world = new GateWorld(drifted('rev-1'));
    world.clock.pause(60_000);
    expect((await world.run()).result).toMatchObject({ kind: 'failed', failure: { final: true } });
  });

  test('not where something else is wrong at the new one', async () => {
    const world = moved({
      ...bad('Progressing'),
      sync: { status: 'Synced', revisions: ['rev-2'] },
    });
    world.applications.refresh = async () => {
      const sync = { status: 'Synced', revisions: ['rev-2'] };
      world.change({ reconciledAt: world.second, sync });
      return world.view;
    };
    world.clock.pause(60_000);
    expect((await world.run()).result.kind).toBe('failed');
  });

  test('not where only what may be OutOfSync is', async () => {
    const gate = { ...nodeOf().gate, ignoreOutOfSync: ['Deployment/b'] };
    const part = { ...drifted('rev-2'), health: health('Progressing') };
    const world = new GateWorld(part, nodeOf('application', { gate }));
    world.argocd.revision = 'rev-2';
    world.clock.pause(60_000);
    expect((await world.run()).result.kind).toBe('failed');
  });

  describe('only what is not in Git any more is OutOfSync', () => {
    const gone = resource({ name: 'b', status: 'OutOfSync', requiresPruning: true });
    const changed = resource({ name: 'c', status: 'OutOfSync' });
    test.each([
      ['a sync that does not prune would change nothing', undefined, [gone], 'failed'],
      ['nor where the policy says so', { prune: false, selfHeal: true }, [gone], 'failed'],
      ['a sync that prunes would', { prune: true, selfHeal: true }, [gone], 'superseded'],
      ['one of something else would', undefined, [gone, changed], 'superseded'],
      ['one where no resource is named would', undefined, [resource()], 'superseded'],
    ])('%s', async (_, automated, resources, kind) => {
      const world = moved({ automated, resources });
      world.clock.pause(60_000);
      expect((await world.run()).result.kind).toBe(kind);
    });
  });

  test('not where nothing is known of it', async () => {
    const world = moved({});
    world.applications.refresh = async () => {
      const sync = { status: 'Unknown', revisions: ['rev-2'] };
      world.change({ reconciledAt: world.second, sync, resources: [resource()] });
      return world.view;
    };
    world.clock.pause(60_000);
    expect((await world.run()).result.kind).toBe('failed');
  });

  test('not where this node has deployed nothing', async () => {
    const world = moved({});
    world.clock.pause(60_000);
    expect((await world.run(WITHOUT)).result.kind).toBe('failed');
  });
});

describe("another client's operation came after ours", () => {
  const other = (world: GateWorld, part: Partial<OperationState> = {}) =>
    operationState({ ...request('x/y/1'), finishedAt: world.end + 3, ...part });

  test('one that succeeded is as good, and the comparison must be after it', async () => {
    const world = new GateWorld();
    world.change({ operationState: other(world) });
    const { result } = await world.run();
    expect(result).toMatchObject({
      kind: 'open',
      evidence: { operation: 'x/y/1', finishedAt: world.end + 3 },
    });
    expect(world.asked.slice(0, 4)).toEqual([1_000, 1_050, 3_100, 8_150]);
  });

  test.each([
    ['that failed', { phase: 'Failed' as const }],
    ['whose end is not known', { finishedAt: undefined }],
  ])('one %s is not: another attempt may help', async (_, part) => {
    const world = new GateWorld();
    world.change({ operationState: other(world, part) });
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ kind: 'failed', failure: { final: false } });
    expect(ms).toBeLessThan(2_000);
  });

  test('where the node has none of its own, it waits for a better end', async () => {
    const world = new GateWorld();
    world.change({ operationState: other(world, { phase: 'Failed' }) });
    world.later(20_000, { operationState: other(world, { phase: 'Succeeded' }) });
    expect((await world.run(WITHOUT)).result.kind).toBe('open');
  });
});

describe('who is to blame', () => {
  const culprit = { resource: 'Pod web/b-1', message: 'health is Degraded: Back-off' };

  test('is asked when it is given up for its health', async () => {
    const world = new GateWorld(bad('Degraded'));
    world.applications.culprit = async () => culprit;
    expect((await world.run()).result).toEqual({
      kind: 'failed',
      failure: { ...culprit, final: false },
    });
  });

  test('nothing is lost where nobody can say', async () => {
    const world = new GateWorld(bad('Degraded'));
    world.applications.culprit = async () => {
      throw new Error('no tree');
    };
    expect((await world.run()).result).toEqual({
      kind: 'failed',
      failure: { message: 'health is Degraded', resource: 'apps/Deployment web/b', final: false },
    });
  });

  test('is not asked where something else than health is the matter', async () => {
    const world = new GateWorld(drifted('rev-1'));
    world.applications.culprit = async () => culprit;
    const { result } = await world.run({ time: timeUntil(20_000) });
    expect(result).toMatchObject({ failure: { resource: 'apps/Deployment web/b' } });
  });
});

describe('a child that nobody planned', () => {
  const child = (part: Partial<ResourceView> = {}): ResourceView =>
    resource({
      ...{ group: 'argoproj.io', kind: 'Application', namespace: 'argocd', name: 'stray' },
      health: { status: 'Degraded', message: '' },
      ...part,
    });
  const NAMED = 'Application "stray", which is not in the platform file, is Degraded';

  async function told(resources: readonly ResourceView[], kind: 'close' | 'application' = 'close') {
    const world = new GateWorld({ health: health('Degraded'), resources }, nodeOf(kind));
    world.walk.isExpected = (name) => name === 'member';
    const { result } = await world.run(WITHOUT);
    if (result.kind !== 'failed') throw new Error(result.kind);
    return result.failure;
  }

  test('is named where it keeps its parent shut', async () => {
    expect(await told([child({ name: 'member' }), resource(), child()])).toEqual({
      message: NAMED,
      resource: 'argoproj.io/Application argocd/stray',
      final: false,
    });
  });

  test('also where it is only OutOfSync', async () => {
    const { message } = await told([child({ status: 'OutOfSync', health: undefined })]);
    expect(message).toContain('"stray", which is not in the platform file, is OutOfSync');
  });

  test.each([
    ['it is well', [child({ health: { status: 'Healthy', message: '' } })], 'close'],
    ['it is planned', [child({ name: 'member' })], 'close'],
    ['it is no Application', [child({ kind: 'AppProject' })], 'close'],
    ['its parent is an application like others', [child()], 'application'],
  ] as const)('is not blamed where %s', async (_, resources, kind) => {
    expect((await told(resources, kind)).message).toBe('health is Degraded');
  });

  test('is not blamed for what is wrong with the parent itself', async () => {
    const part = { resources: [child()], skipped: true };
    const world = new GateWorld(part, nodeOf('close'));
    world.walk.isExpected = () => false;
    expect((await world.run(WITHOUT)).result).toMatchObject({
      failure: { message: expect.stringContaining('skip') },
    });
  });

  test('left OutOfSync by a newer commit, it is Git that moved on', async () => {
    const stray = child({ status: 'OutOfSync' });
    const world = new GateWorld({ ...drifted('rev-2'), resources: [stray] }, nodeOf('close'));
    world.walk.isExpected = () => false;
    world.argocd.revision = 'rev-2';
    world.clock.pause(60_000);
    expect((await world.run()).result.kind).toBe('superseded');
  });
});

test('live objects are asked for only when everything else holds', async () => {
  const world = new GateWorld(bad('Progressing'));
  let asked = 0;
  world.applications.liveResources = async (address) => {
    asked++;
    return await world.honest.liveResources(address);
  };
  const running = world.start();
  await world.clock.advance(30_000);
  expect(asked).toBe(0);
  world.argocd.plant('a', { present: false });
  world.change({ health: health('Healthy', 't2'), resources: [resource()] });
  await world.clock.advance(30_000);
  expect(world.waits).toContain('a resource is missing');
  world.argocd.plant('a', {});
  expect(await world.clock.until(running)).toMatchObject({
    kind: 'open',
    evidence: { operation: ID },
  });
});
