import { beforeEach, expect, test } from 'vitest';
import { resource } from '../../../test/fakes/application.ts';
import { app, World } from '../../../test/fakes/run-world.ts';
import { buildPlan } from '../../plan/build-plan.ts';
import { compile } from '../../plan/compile.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { PredictedObject } from '../../ports/predicted-object.ts';
import { diffPlatform } from './diff-platform.ts';

let world: World;
let asked: string[];

const PREDICTED: PredictedObject = {
  ...{ group: 'apps', kind: 'Deployment', namespace: 'web', name: 'api' },
  ...{ live: { kind: 'Deployment', spec: 1 }, predicted: { kind: 'Deployment', spec: 2 } },
};
const DIFFERENT = {
  sync: { status: 'OutOfSync', revisions: ['new'] },
  resources: [resource({ status: 'OutOfSync' })],
};

beforeEach(() => {
  world = new World({ api: {} });
  asked = [];
  world.argocd.change('api', { ...DIFFERENT, deployed: ['old'], wanted: 's', compared: 's' });
  world.applications.predictedObjects = async ({ name }) => {
    asked.push(name);
    return [PREDICTED];
  };
});

async function diff(stacks: object = { name: 's', applications: [app('api')] }, refresh = false) {
  const file = {
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
    spec: { stacks: [stacks] },
  };
  const compiled = compile({ file: 'platform.yaml', text: JSON.stringify(file) });
  const plan = buildPlan(compiled, { action: 'deploy' });
  const { target, clock } = world;
  const { signal } = new AbortController();
  const parts = { target, clock, signal, concurrency: 2, refresh };
  return await clock.until(diffPlatform(plan, parts));
}

async function nodeFor(part: Partial<ApplicationView>) {
  world.argocd.change('api', part);
  return (await diff()).nodes[0];
}

test('revisions, age and objects of what differs', async () => {
  const { nodes, exitStatus } = await diff();
  expect(nodes).toMatchObject([
    {
      ...{ id: 'app:api', stack: 's', state: 'different', reason: null },
      revisions: { from: ['old'], to: ['new'] },
      objects: [{ name: 'api', change: 'changed' }],
    },
  ]);
  expect(exitStatus).toBe(2);
});

test('of what is Synced no objects are asked for', async () => {
  const synced = { sync: { status: 'Synced', revisions: ['new'] }, resources: [resource()] };
  expect(await nodeFor(synced)).toMatchObject({ state: 'same', objects: [] });
  expect(asked).toEqual([]);
});

const condition = (type: string) => [{ type, message: 'why', since: 1 }];

test.each<[Partial<ApplicationView>, string]>([
  [{ deleting: true }, 'its Application is being deleted'],
  [{ skipped: true }, 'Argo CD does not reconcile it (annotation skip-reconcile)'],
  [{ hydrated: true }, 'it has a source hydrator, which is not supported'],
  [{ conditions: condition('ComparisonError') }, 'ComparisonError: why'],
  [{ conditions: condition('InvalidSpecError') }, 'InvalidSpecError: why'],
  [{ reconciledAt: undefined }, 'Argo CD has not compared it yet'],
  [{ compared: 'another' }, 'its spec has changed since Argo CD compared it'],
  [{ sync: { status: 'Unknown', revisions: [] } }, 'Argo CD calls its sync status Unknown'],
  [{ project: 'other' }, 'its Application is in project "other", not in "default"'],
])('%j: no differences are shown, and why', async (part, reason) => {
  const node = await nodeFor(part);
  expect([node?.state, node?.objects]).toEqual(['unknown', []]);
  expect(node?.reason?.startsWith(reason)).toBe(true);
  expect(asked).toEqual([]);
});

test('an error of a sync does not hide the differences', async () => {
  const node = await nodeFor({ conditions: condition('SyncError') });
  expect(node?.state).toBe('different');
});

test('an Application that does not exist is missing, and one that cannot be read is not', async () => {
  const stack = { name: 's', applications: [app('api'), app('web')] };
  const nodes = async () => (await diff(stack)).nodes.map(({ id, state }) => [id, state]);
  expect(await nodes()).toEqual([
    ['app:api', 'different'],
    ['app:web', 'missing'],
  ]);
  const { list } = world.honest;
  world.applications.list = async (namespaces, unreadable) => {
    unreadable?.({ name: 'web', namespace: 'argocd', why: 'odd' });
    return await list(namespaces);
  };
  expect(await nodes()).toEqual([
    ['app:api', 'different'],
    ['app:web', 'unknown'],
  ]);
});

test('an answer that does not fit to the Application is asked for again', async () => {
  let answers = 0;
  world.applications.predictedObjects = async () => (++answers < 3 ? [] : [PREDICTED]);
  expect((await diff()).nodes[0]?.state).toBe('different');
  expect(answers).toBe(3);
});

test('where it never fits that is said', async () => {
  world.applications.predictedObjects = async () => [];
  const { nodes, exitStatus } = await diff();
  expect(nodes[0]).toMatchObject({
    state: 'unknown',
    reason: 'Argo CD calls it OutOfSync, but does not say which objects differ',
  });
  expect(exitStatus).toBe(1);
});

test('a refresh that Argo CD overlooks is asked for again, a limited number of times', async () => {
  const late: Partial<typeof world.honest> = { refresh: async () => undefined };
  let refreshes = 0;
  world.applications.refresh = async (address) => {
    refreshes++;
    return await (refreshes < 3 ? late : world.honest).refresh?.(address);
  };
  expect((await diff(undefined, true)).nodes[0]?.state).not.toBe('unknown');
  expect(refreshes).toBe(3);
  world.applications.refresh = async () => undefined;
  expect((await diff(undefined, true)).nodes[0]).toMatchObject({
    state: 'unknown',
    reason: 'Argo CD did not compare it again in time',
  });
});

test('an Application that goes meanwhile is missing', async () => {
  world.applications.refresh = async () => undefined;
  world.applications.get = async () => undefined;
  expect((await diff(undefined, true)).nodes[0]).toMatchObject({
    state: 'missing',
    reason: 'its Application was deleted',
  });
});

test('a generated member has a row for each of its Applications, and one while some are missing', async () => {
  const labels = new Map([['team', 'shop']]);
  world.argocd.change('api', { labels });
  const selector = { matchLabels: { team: 'shop' } };
  const member = { name: 'team', selector, atLeast: 2 };
  const { nodes } = await diff({ name: 's', applications: [member] });
  expect(nodes.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ['app:team', 'missing', '1 of at least 2 Applications exist'],
    ['app:team:api', 'different', null],
  ]);
  expect(asked).toEqual(['api']);
});

test('a parent comes before its members', async () => {
  world.argocd.add('parent', {});
  world.argocd.change('parent', DIFFERENT);
  const stack = { name: 's', application: 'parent', applications: [app('api')] };
  const { nodes } = await diff(stack);
  expect(nodes.map(({ id }) => id)).toEqual(['open:stack:s', 'app:api']);
  expect(asked.toSorted()).toEqual(['api', 'parent']);
});
