// A parent's two halves: open lets its members start once its operation is under way, close passes its gate.
import { describe, expect, test } from 'vitest';
import { operationState, resource } from '../../test/fakes/application.ts';
import { NodeWorld, nodeOf, request, running } from '../../test/fakes/node-world.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import { closeParent, openParent } from './run-parent.ts';

const ID = 'run/open:stack:s/1';
const OUT_OF_SYNC = {
  sync: { status: 'OutOfSync', revisions: ['rev-1'] },
  resources: [resource({ status: 'OutOfSync' })],
};

class ParentWorld extends NodeWorld {
  /** When its members were let start. */
  readonly openedAt: number[] = [];
  readonly relieved = new AbortController();

  constructor(part: Partial<ApplicationView> = OUT_OF_SYNC, kind: 'open' | 'close' = 'open') {
    super(part, nodeOf(kind));
    this.clock.pause(10_000);
  }

  /** By whoever watches its operation to the end. */
  watched(): this {
    this.walk.parent = {
      opened: () => this.openedAt.push(this.clock.monotonic() - 10_000),
      relieved: this.relieved.signal,
    };
    return this;
  }

  run() {
    return this.timed((this.node.kind === 'open' ? openParent : closeParent)(this.context));
  }

  get ids(): readonly string[] {
    return this.argocd.syncs.map(({ id }) => id.replace('run/open:stack:s/', ''));
  }

  get pauses(): readonly number[] {
    const { syncs } = this.argocd;
    return syncs.slice(1).map(({ at }, n) => (at - (syncs[n]?.at ?? 0)) / 1000);
  }
}

describe('open', () => {
  test('syncs it, and is done once that is under way', async () => {
    const world = new ParentWorld();
    world.argocd.behave('a', { sync: 60 });
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', operations: [ID], revisions: [] });
    expect(ms).toBeLessThan(3_000);
    expect([world.ids, world.holds]).toEqual([['1'], 1]);
  });

  test('watched: its members start then, and it ends with its operation', async () => {
    const world = new ParentWorld().watched();
    // Longer than its timeout: it may wait for its children.
    world.argocd.behave('a', { sync: 1_000 });
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', revisions: ['rev-1'] });
    expect(world.openedAt).toHaveLength(1);
    expect(world.openedAt[0]).toBeLessThan(3_000);
    expect(ms).toBeGreaterThan(1_000_000);
  });

  test('watched until nobody needs that any more', async () => {
    const world = new ParentWorld().watched();
    world.argocd.behave('a', { sync: 1_000 });
    void world.clock.sleep(30_000).then(() => world.relieved.abort());
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', operations: [ID] });
    expect(ms).toBe(30_000);
  });

  test('a run that is told to leave before it is under way leaves', async () => {
    const world = new ParentWorld().watched();
    void world.clock.sleep(20).then(() => world.stop.abort());
    await expect(world.run()).rejects.toThrow();
    expect(world.openedAt).toEqual([]);
  });

  test('tries again where it fails, each time twice as long after it', async () => {
    const world = new ParentWorld().watched();
    world.argocd.behave('a', { phases: ['Failed'] });
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'failed', attempts: 3, revisions: [] });
    expect(world.ids).toEqual(['1', '2', '3']);
    expect(world.pauses).toEqual([12, 22]);
  });

  test('its members do not start by one that has failed before it was seen', async () => {
    const world = new ParentWorld().watched();
    world.applications.requestSync = async (_, { infos }) => {
      world.change({ operationState: operationState({ infos, phase: 'Failed' }) });
      return { kind: 'done' };
    };
    expect((await world.run()).result).toMatchObject({ outcome: 'failed', attempts: 3 });
    expect(world.openedAt).toEqual([]);
  });

  test("does not take somebody's operation that ended before the request for its own", async () => {
    const world = new ParentWorld();
    const foreign = operationState({ ...request(undefined), phase: 'Failed', finishedAt: 150 });
    let until = 0;
    let before = world.view;
    world.applications.requestSync = async (...asked) => {
      before = world.view;
      until = world.clock.monotonic() + 9_000;
      return await world.honest.requestSync(...asked);
    };
    world.applications.get = async (address) =>
      world.clock.monotonic() < until ? before : await world.honest.get(address);
    world.blocked = async () => {
      world.change({ operationState: foreign });
      return undefined;
    };
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', attempts: 1 });
    expect(world.ids).toEqual(['1']);
  });

  test('does not try again what cannot help', async () => {
    const world = new ParentWorld().watched();
    world.argocd.answers.push({ kind: 'refused', reason: 'forbidden', message: 'you may not' });
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'failed', cause: { message: 'you may not' } });
    expect(world.ids).toEqual([]);
  });

  test.each([
    ['it is well', {}, 'unchanged', 0],
    // The children's matter.
    [
      'only health is missing',
      { health: { status: 'Progressing', message: '', lastTransition: 't1' } },
      'unchanged',
      1,
    ],
    ['the Application is being deleted', { deleting: true }, 'failed', 0],
    ['Argo CD does not compare it', { refreshPending: true }, 'failed', 0],
  ])('does not sync it where %s', async (_, part, outcome, holds) => {
    const world = new ParentWorld(part);
    expect((await world.run()).result.outcome).toBe(outcome);
    expect([world.ids, world.holds]).toEqual([[], holds]);
  });
});

describe('open finds an operation of this run', () => {
  const own = (phase: 'Succeeded' | 'Failed') => ({
    operationState: operationState({ ...request(ID), phase }),
  });

  test('under way: no second one is made', async () => {
    const world = new ParentWorld({
      ...OUT_OF_SYNC,
      operation: request(ID),
      operationState: running(ID),
    }).watched();
    const state = operationState({ ...request(ID), finishedAt: world.second + 20 });
    world.later(20_000, { operation: undefined, operationState: state });
    const { result, ms } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', operations: [ID] });
    expect([world.ids, world.openedAt, ms]).toEqual([[], [0], 20_000]);
    expect(world.events.map(({ type }) => type)).not.toContain('node.sync-requested');
  });

  test('that was overlooked: its members wait until it is taken up', async () => {
    const world = new ParentWorld({
      ...OUT_OF_SYNC,
      operation: request(ID),
      operationState: undefined,
    }).watched();
    world.later(7_000, { operationState: running(ID) });
    world.later(20_000, { operation: undefined, operationState: operationState(request(ID)) });
    await world.run();
    expect([world.ids, world.openedAt]).toEqual([[], [7_000]]);
  });

  test.each([
    ['that succeeded, and Git moved on since', own('Succeeded'), '1+1'],
    ['that failed', own('Failed'), '2'],
  ])('%s: another one is made', async (_, part, id) => {
    const world = new ParentWorld({ ...OUT_OF_SYNC, ...part });
    expect((await world.run()).result.outcome).toBe('healthy');
    expect(world.ids).toEqual([id]);
  });

  test('that failed: it has as many attempts as any', async () => {
    const world = new ParentWorld({ ...OUT_OF_SYNC, ...own('Failed') }).watched();
    world.argocd.behave('a', { phases: ['Failed'] });
    await world.run();
    expect(world.ids).toEqual(['2', '3', '4']);
  });

  test('that succeeded, and all is well: nothing is done', async () => {
    const world = new ParentWorld(own('Succeeded'));
    expect((await world.run()).result.outcome).toBe('unchanged');
    expect(world.ids).toEqual([]);
  });
});

describe("open finds another client's operation", () => {
  const foreign = {
    ...OUT_OF_SYNC,
    operation: request(undefined),
    operationState: running(undefined),
  };

  test('it may wait for the children: they are let start', async () => {
    const { result, ms } = await new ParentWorld(foreign).run();
    expect(result).toMatchObject({ outcome: 'unchanged', operations: [] });
    expect(ms).toBeLessThan(3_000);
  });

  test('watched: it is synced after it, where that did not do what is wanted', async () => {
    const world = new ParentWorld(foreign).watched();
    const state = operationState({ ...request(undefined), finishedAt: world.second + 600 });
    world.later(600_000, { operation: undefined, operationState: state });
    expect((await world.run()).result).toMatchObject({ outcome: 'healthy', operations: [ID] });
    expect(world.openedAt[0]).toBeLessThan(3_000);
    expect(world.argocd.syncs[0]?.at).toBeGreaterThan(600_000);
  });
});

describe('close', () => {
  test('goes on with the operation of its open', async () => {
    const world = new ParentWorld({ operationState: operationState(request(ID)) }, 'close');
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'healthy', operations: [ID] });
    expect(world.ids).toEqual([]);
  });

  test('judges it as it is where open had nothing to do', async () => {
    const world = new ParentWorld({}, 'close');
    const { result } = await world.run();
    expect(result).toMatchObject({ outcome: 'unchanged', operations: [], revisions: ['rev-1'] });
    expect(world.ids).toEqual([]);
  });

  test('fails where its gate stays shut, after the time for health', async () => {
    const world = new ParentWorld(OUT_OF_SYNC, 'close');
    const { result, ms } = await world.run();
    expect(result).toMatchObject({
      outcome: 'failed',
      cause: {
        node: 'close:stack:s',
        message: expect.stringContaining('sync status is OutOfSync'),
      },
    });
    expect(ms).toBeGreaterThanOrEqual(300_000);
    expect(ms).toBeLessThan(301_000);
    expect(world.ids).toEqual([]);
  });

  test('ends an operation that an earlier run left behind, once its gate has had its time', async () => {
    const infos = new Map([
      ['tiphys/op', 'r0/open:stack:s/1'],
      ['tiphys/platform', 'shop'],
    ]);
    const world = new ParentWorld({ operation: request(undefined, { infos }) }, 'close');
    const terminated: number[] = [];
    world.applications.terminate = async () => {
      terminated.push(world.clock.monotonic() - 10_000);
      world.later(700, { operation: undefined });
      return { kind: 'done' };
    };
    expect((await world.run()).result).toMatchObject({ outcome: 'failed' });
    expect(terminated).toEqual([expect.closeTo(300_000, -3)]);
  });

  test('fails where it is gone', async () => {
    const world = new ParentWorld({}, 'close');
    world.applications.get = async () => undefined;
    expect((await world.run()).result).toMatchObject({
      outcome: 'failed',
      cause: { message: 'the Application was deleted' },
    });
  });
});
