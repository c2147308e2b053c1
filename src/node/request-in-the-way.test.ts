// What stands in the way of a sync: an operation of somebody else, and children that it would prune.
import { describe, expect, test } from 'vitest';
import { operationState, resource } from '../../test/fakes/application.ts';
import { nodeOf, request } from '../../test/fakes/node-world.ts';
import { RequestWorld, refusal } from '../../test/fakes/request-world.ts';
import { TiphysError } from '../errors.ts';
import type { ResourceView } from '../ports/application-view.ts';

const OURS = 'run/app:a/1';
const ACCEPTED = { kind: 'accepted', before: expect.anything() };
const leftOver = (platform: string) =>
  request(undefined, {
    infos: new Map([
      ['tiphys/op', 'r0/app:a/1'],
      ['tiphys/platform', platform],
    ]),
  });
const busy = refusal('operation-in-progress', 'another operation is already in progress');

describe('an operation is in progress', () => {
  class BusyWorld extends RequestWorld {
    constructor(node = nodeOf()) {
      super({ operation: request(undefined, { username: 'jane' }) }, node);
      this.answers.push(busy);
    }

    /** After 20 seconds. */
    ends(phase: 'Succeeded' | 'Failed', part: Parameters<RequestWorld['change']>[0] = {}): void {
      const state = operationState({
        ...request(undefined),
        phase,
        startedAt: this.second,
        finishedAt: this.second + 20,
      });
      this.later(20_000, { operation: undefined, operationState: state, ...part });
    }
  }

  test('ours: it was accepted', async () => {
    const world = new RequestWorld({ operation: request(OURS) });
    world.answers.push(busy);
    expect(await world.run()).toEqual({ result: ACCEPTED, ms: 0 });
    expect(world.requests).toHaveLength(1);
  });

  test('one that does what ours would do: nothing more is asked for', async () => {
    const world = new BusyWorld();
    world.ends('Succeeded');
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.requests).toHaveLength(1);
    expect(world.waits[0]).toBe('an operation of jane is running');
  });

  test('one after which only its health is to come: nothing more is asked for', async () => {
    const world = new BusyWorld();
    const health = { status: 'Progressing', message: '', lastTransition: 't2' };
    world.ends('Succeeded', { health });
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.requests).toHaveLength(1);
  });

  test.each([
    ['failed', 'Failed', {}],
    ['left it OutOfSync', 'Succeeded', { resources: [resource({ status: 'OutOfSync' })] }],
  ] as const)('one that %s: ours is asked for after it', async (_, phase, part) => {
    const world = new BusyWorld();
    world.ends(phase, part);
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.requests).toHaveLength(2);
    expect(world.times[1]).toBeGreaterThanOrEqual(20_000);
    expect(world.times[1]).toBeLessThan(25_000);
  });

  test("one of a parent: ours is asked for after it, for it may not have been for this run's commit", async () => {
    const world = new BusyWorld(nodeOf('open'));
    world.ends('Succeeded');
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.times).toEqual([0, 20_000]);
  });

  test('one that does not end: time is up', async () => {
    const world = new BusyWorld();
    const { result, ms } = await world.run();
    expect(result).toEqual({
      kind: 'failed',
      failure: {
        message: 'Argo CD did not accept the sync request in time; an operation of jane is running',
        final: true,
      },
    });
    expect(ms).toBe(300_000);
  });

  test('one that an earlier run of this platform left behind: it is ended when time is up', async () => {
    const world = new RequestWorld({ operation: leftOver('shop') });
    world.answers.push(busy);
    world.applications.terminate = async () => {
      world.later(700, { operation: undefined });
      return { kind: 'done' };
    };
    const { result, ms } = await world.run();
    expect(result).toMatchObject({
      failure: {
        message:
          'Argo CD did not accept the sync request in time; an operation of the earlier run r0 is running; the sync of the earlier run r0 was terminated so that the next run can continue',
      },
    });
    expect(ms).toBe(300_700);
  });

  test.each([
    ['may not be ended', async () => refusal('forbidden', 'no')],
    ['cannot be ended', async () => Promise.reject(new TiphysError([]))],
  ] as const)(
    'one that an earlier run left behind and that %s is not said to be',
    async (_, end) => {
      const world = new RequestWorld({ operation: leftOver('shop') });
      world.answers.push(busy);
      world.applications.terminate = end;
      expect((await world.run()).result).toMatchObject({
        failure: {
          message: expect.stringMatching(/an operation of the earlier run r0 is running$/),
        },
      });
    },
  );

  test('one that the watch shows as over is not ended, whatever a server shows that lags behind', async () => {
    const world = new RequestWorld({ operation: leftOver('shop') });
    world.answers.push(busy);
    const old = world.argocd.view('a');
    world.applications.get = async () => old;
    world.applications.terminate = async () => expect.unreachable();
    world.later(299_900, { operation: request(undefined, { username: 'jane' }) });
    expect((await world.run()).result.kind).toBe('failed');
  });

  test.each([
    ['a run of another platform', leftOver('other')],
    ['Argo CD itself', request(undefined, { automated: true })],
    ['a person', request(undefined, { username: 'jane' })],
  ])('one of %s is never ended', async (_, operation) => {
    const world = new RequestWorld({ operation });
    world.answers.push(busy);
    world.applications.terminate = async () => expect.unreachable();
    const { result, ms } = await world.run();
    expect([result.kind, ms]).toEqual(['failed', 300_000]);
  });

  test('one that does not show: it is asked for again after 5 s', async () => {
    const world = new RequestWorld({ operationState: undefined });
    world.answers.push(busy, busy);
    expect((await world.run()).result).toEqual(ACCEPTED);
    expect(world.times).toEqual([0, 5_000, 10_000]);
  });
});

describe('a parent', () => {
  const gone = (kind: string, group = 'argoproj.io'): ResourceView =>
    resource({ group, kind, namespace: 'argocd', name: `old-${kind}`, requiresPruning: true });
  const PRUNES = { prune: true, selfHeal: true };

  function parent(resources: readonly ResourceView[], automated = PRUNES) {
    const world = new RequestWorld({ automated, resources }, nodeOf('open'));
    let comparisons = 0;
    world.applications.refresh = async (address) => {
      comparisons++;
      return await world.honest.refresh(address);
    };
    return { world, comparisons: () => comparisons };
  }

  test('that prunes by itself is asked to only where something has to go', async () => {
    const { world, comparisons } = parent([resource(), resource({ kind: 'Application' })]);
    await world.run();
    expect(world.requests).toMatchObject([{ prune: false, isLong: true }]);
    expect(comparisons()).toBe(1);
  });

  test.each([
    ['a ConfigMap', gone('ConfigMap', '')],
    ['an AppProject', gone('AppProject')],
    ["somebody else's kind of that name", gone('Application', 'app.k8s.io')],
  ])('prunes %s, and the request is given up soon', async (_, resourceView) => {
    const { world } = parent([resource(), resourceView]);
    await world.run();
    expect(world.requests).toMatchObject([{ prune: true, isLong: false }]);
  });

  test('that does not prune by itself is not looked at for it', async () => {
    const { world, comparisons } = parent([gone('Application')], { prune: false, selfHeal: true });
    await world.run();
    expect(world.requests).toMatchObject([{ prune: false, isLong: true }]);
    expect(comparisons()).toBe(0);
  });

  test('never prunes its children', async () => {
    const { world } = parent([gone('ConfigMap', ''), gone('ApplicationSet'), gone('Application')]);
    const { result } = await world.run();
    expect(world.requests).toEqual([]);
    expect(result).toMatchObject({
      kind: 'failed',
      failure: {
        message: expect.stringContaining(
          'would prune ApplicationSet old-ApplicationSet, Application old-Application,',
        ),
        resource: 'argoproj.io/ApplicationSet argocd/old-ApplicationSet',
        final: true,
      },
    });
  });

  test('is not asked to prune what it does not show', async () => {
    const { world } = parent([gone('ConfigMap', '')]);
    world.applications.refresh = async () => undefined;
    world.applications.get = async () => undefined;
    await world.run();
    expect(world.requests).toMatchObject([{ prune: false }]);
  });
});
