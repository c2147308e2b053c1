// What an inventory reads beside the objects of its Applications.
import { expect, test } from 'vitest';
import { managedObject } from '../../../test/fakes/application.ts';
import { inMemory, listedObject } from '../../../test/fakes/objects.ts';
import { app, planFrom, World } from '../../../test/fakes/run-world.ts';
import { TiphysError } from '../../errors.ts';
import { CAUTIOUS, type Policy } from '../../inventory/inventory.ts';
import type { ApplicationView, UnreadableApplication } from '../../ports/application-view.ts';
import { takeInventory } from './take-inventory.ts';

/** `b` depends on `a`. Their parent is no maker: it does not sync by itself. */
const SPEC = {
  stacks: [{ name: 's', application: 'parent', applications: [app('a'), app('b', ['a'])] }],
};
const WHOLE = planFrom(SPEC, { action: 'teardown' });
const ONLY_A = planFrom(SPEC, { action: 'teardown', scope: ['app:a'] });

function worldWith(part: Partial<ApplicationView> = {}): World {
  const world = new World({ a: {}, b: {}, parent: {} });
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  for (const name of ['a', 'b', 'parent']) world.settle(name, { finalizers });
  world.argocd.change('a', part);
  return world;
}

function taken({ target, clock, stop }: World, plan = WHOLE, part: Partial<Policy> = {}) {
  const policy = { ...CAUTIOUS, ...part };
  const request = { plan, whole: WHOLE, policy, target, clock, concurrency: 2 };
  return clock.until(takeInventory({ ...request, signal: stop.signal }));
}

/** These are not there; those are there and cannot be read. */
function lacking(world: World, gone: readonly string[], unreadable: readonly string[] = []): World {
  world.applications.list = async (namespaces, broken) => {
    for (const name of unreadable)
      broken?.({ name, namespace: 'argocd', why: 'no spec' } satisfies UnreadableApplication);
    const views = await world.honest.list(namespaces);
    return views.filter(({ name }) => ![...gone, ...unreadable].includes(name));
  };
  return world;
}

test('what is not there is gone; what cannot be read is not, and is refused', async () => {
  const world = lacking(worldWith(), ['a'], ['b']);
  const { applications, gone, refusals } = await taken(world);
  expect(applications.map(({ name }) => name)).toEqual(['parent']);
  expect(gone).toEqual(['app:a']);
  expect(refusals).toMatchObject([
    {
      ...{ code: 'application-unreadable', node: 'app:b' },
      message: 'Application "b" exists and cannot be read: no spec.',
      hint: expect.stringContaining('kubectl -n argocd get application b'),
    },
  ]);
  expect((await taken(worldWith())).refusals).toEqual([]);
});

test.each([
  ['is there', [], [], ['app:b']],
  ['is there and cannot be read', [], ['b'], ['app:b']],
  ['is gone', ['b'], [], []],
])('a dependent outside of the scope that %s', async (_, gone, unreadable, refused) => {
  const world = lacking(worldWith(), gone, unreadable);
  const { refusals } = await taken(world, ONLY_A);
  expect(refusals.map(({ code, node }) => [code, node])).toEqual(
    refused.map((node) => ['dependent-outside', node]),
  );
});

test.each([
  ['v3.4.0', false],
  ['3.4.0', false],
  ['v3.10.2+abc', false],
  ['v4.0.1', false],
  ['v10.0.0', false],
  ['v3.3.9', true],
  ['v2.14.0', true],
  ['v2.4.0', true],
  ['unknown', true],
  ['devel-v3.4.0', true],
])('with Argo CD %s, what its Application says is to stay goes: %s', async (version, goes) => {
  const world = worldWith({ syncOptions: ['Delete=false'] });
  world.part.argocdVersion = async () => version;
  world.applications.managedObjects = async ({ name }) =>
    name === 'a' ? [managedObject('ConfigMap', 'made')] : [];
  const { applications } = await taken(world);
  const found = applications.find(({ name }) => name === 'a');
  expect([found?.deletes.length, found?.keeps.length]).toEqual(goes ? [1, 0] : [0, 1]);
});

test('nobody is asked for a version that does not matter', async () => {
  const world = worldWith();
  world.part.argocdVersion = () => Promise.reject(new Error('asked'));
  expect((await taken(world)).applications).toHaveLength(3);
});

test.each([
  ['label', ['Argo CD tracks by label']],
  ['annotation', []],
  ['annotation+label', []],
])('where Argo CD tracks by %s', async (method, told) => {
  const world = worldWith();
  const settings = async () => new Map([['application.resourceTrackingMethod', method]]);
  world.part.kinds = { settings, custom: async () => [] };
  const { warnings } = await taken(world);
  expect(warnings).toMatchObject(told.map((text) => ({ message: expect.stringContaining(text) })));
});

test('a missing permission to read how Argo CD tracks is told; that nobody answers is an error', async () => {
  const world = worldWith();
  const failing = (error: Error) => {
    world.part.kinds = { settings: () => Promise.reject(error), custom: async () => [] };
  };
  failing(new TiphysError([{ code: 'cluster-forbidden', message: 'no' }]));
  expect((await taken(world)).warnings).toMatchObject([
    { code: 'leftovers-unknown', message: expect.stringContaining('no permission to read') },
  ]);
  for (const error of [
    new TiphysError([{ code: 'cluster-unreachable', message: 'no route' }]),
    new Error('a bug'),
  ]) {
    failing(error);
    await expect(taken(world)).rejects.toBe(error);
  }
});

test('namespaces that Argo CD made are found in its own cluster, with who else uses them', async () => {
  const world = worldWith({ createsNamespace: 'both' });
  world.argocd.change('b', { createsNamespace: 'own' });
  world.argocd.change('parent', { createsNamespace: 'absent' });
  for (const name of ['user', 'other']) world.argocd.add(name, {});
  world.argocd.change('user', { createsNamespace: 'both' });
  const names = ['own', 'both', 'remote'];
  const resource = { group: '', kind: 'Namespace', namespace: '' };
  const objects = names.map((name) => listedObject({ ...resource, name }));
  const show = (...hidden: string[]) => {
    const { target } = world.argocd;
    world.part.objects = { ...target.objects, ...inMemory({ objects, hidden }).objects };
  };
  show();
  expect((await taken(world)).namespaces).toEqual([
    { name: 'both', uid: 'uid-both', why: 'Application "user" uses it, too' },
    { name: 'own', uid: 'uid-own', why: null },
  ]);
  world.argocd.change('a', { createsNamespace: 'remote', remoteCluster: 'https://elsewhere' });
  world.argocd.change('parent', { createsNamespace: undefined });
  show('Namespace');
  expect((await taken(world)).namespaces).toEqual([
    { name: 'own', uid: '', why: 'no permission to read it' },
  ]);
});

const stranger = (world: World, name: string) => {
  world.argocd.add(name, {});
  world.settle(name, { trackedBy: 'parent' });
};

test('what a parent made and the file does not have is refused, or goes along by name', async () => {
  const world = worldWith();
  for (const name of ['y', 'x']) stranger(world, name);
  expect((await taken(world)).refusals).toMatchObject([
    { code: 'application-unexpected', message: expect.stringContaining('"x"') },
    { code: 'application-unexpected', message: expect.stringContaining('"y"') },
  ]);
  const { applications, unexpected, refusals } = await taken(world, WHOLE, {
    includeUnexpected: true,
  });
  expect(unexpected.map(({ name }) => name)).toEqual(['x', 'y']);
  expect(applications.map(({ name }) => name)).toEqual(expect.arrayContaining(['x', 'y']));
  expect(refusals).toEqual([]);
});

test('snapshots are asked for only where they are to be taken', async () => {
  const world = worldWith();
  let asked = 0;
  const served = async () => ++asked > 0;
  world.part.snapshots = { ...world.argocd.target.snapshots, served };
  await taken(world);
  expect(asked).toBe(0);
  expect((await taken(world, WHOLE, { volumes: 'snapshot' })).refusals).toEqual([]);
  world.part.snapshots = { ...world.argocd.target.snapshots, served: async () => false };
  expect((await taken(world, WHOLE, { volumes: 'snapshot' })).refusals).toMatchObject([
    { code: 'snapshots-missing' },
  ]);
});

test.each([
  ['argocd', 'a'],
  ['team', 'team_a'],
])('objects of an Application in namespace %s are tracked as %s', async (namespace, tracker) => {
  const world = worldWith({ namespace });
  const plan = planFrom({
    stacks: [{ name: 's', applications: [app('a', [], { argocd: { namespace } })] }],
  });
  world.applications.managedObjects = async () => [
    managedObject('ConfigMap', 'own', { tracker }),
    managedObject('ConfigMap', 'foreign', { tracker: 'argocd_a' }),
  ];
  const { clock, stop, target } = world;
  const request = { plan, whole: plan, policy: CAUTIOUS, target, clock, concurrency: 2 };
  const { applications } = await clock.until(takeInventory({ ...request, signal: stop.signal }));
  expect(applications).toMatchObject([
    { deletes: [{ name: 'own' }], keeps: [{ name: 'foreign' }] },
  ]);
});

test('makers are told by kind and name, with what they make', async () => {
  const world = worldWith();
  const set = {
    uid: 'u',
    deleting: false,
    rollingSync: false,
    upToDate: true,
    trackedBy: undefined,
  };
  world.argocd.applicationSets = [
    { ...set, name: 'sets', namespace: 'team' },
    { ...set, name: 'sets', namespace: 'argocd' },
    { ...set, name: 'idle', namespace: 'argocd' },
  ];
  for (const name of ['b', 'a']) world.argocd.change(name, { applicationSet: 'sets' });
  const automated = { prune: false, selfHeal: true };
  // One that has itself in its Git makes nothing else.
  world.argocd.change('parent', { automated, trackedBy: 'parent' });
  expect((await taken(world)).makers).toEqual([
    { kind: 'ApplicationSet', name: 'sets', namespace: 'argocd', uid: 'u', makes: ['a', 'b'] },
  ]);
  world.argocd.change('a', { applicationSet: undefined, trackedBy: 'parent' });
  expect((await taken(world)).makers).toMatchObject([
    { kind: 'Application', name: 'parent', makes: ['a'] },
    { kind: 'ApplicationSet', name: 'sets', makes: ['b'] },
  ]);
});

test('a parent of the same name in another namespace is not the one of the platform', async () => {
  const world = worldWith({ trackedBy: 'parent' });
  const automated = { prune: false, selfHeal: true };
  world.argocd.change('parent', { automated });
  expect((await taken(world)).refusals).toEqual([]);
  world.argocd.change('parent', { namespace: 'team' });
  expect((await taken(world)).refusals).toMatchObject([{ code: 'maker-outside' }]);
});
