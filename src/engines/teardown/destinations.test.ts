import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../../test/fakes/application.ts';
import { type ErrorCode, TiphysError } from '../../errors.ts';
import type { ResourceName } from '../../ports/application-view.ts';
import type { Cluster, Place } from '../../ports/target.ts';
import { assertReached, placed, type Unplaced } from './destinations.ts';
import { madeNamespaces } from './made-namespaces.ts';

const there = (uid: string) => ({ uid, finalizers: [], deletingSince: undefined });

/** A cluster with that uid, and the ConfigMaps of these names: uid by name. */
function cluster(identity: string | undefined, has: Readonly<Record<string, string>> = {}): Place {
  const get = async ({ kind, name }: ResourceName) => {
    const uid = kind === 'Namespace' ? `${identity} ${name}` : has[name];
    return uid === undefined ? undefined : uid === 'unknown' ? ('unknown' as const) : there(uid);
  };
  return { objects: { get }, identity: async () => identity } as unknown as Place;
}

/** Argo CD's own cluster is `''`; every other one has a context of its name. */
function target(clusters: Readonly<Record<string, Place>>): Cluster {
  const names = Object.keys(clusters).filter((name) => name !== '');
  const own = clusters[''] ?? cluster('own');
  return {
    ...own,
    contexts: new Map(names.map((name) => [name, `ctx-${name}`])),
    at: (name: string) => clusters[name] ?? own,
  } as unknown as Cluster;
}

const app = (name: string, remoteCluster: string | undefined, ...names: string[]): Unplaced => ({
  ...{ id: `app:${name}`, instance: name, problem: undefined, deleteOption: undefined },
  view: application({ name, uid: `uid-${name}`, remoteCluster, createsNamespace: 'web' }),
  objects: names.map((one) => object('ConfigMap', one, { uid: `uid-${one}` })),
});

const GOOD = { a: 'uid-a' };

test('nobody is asked who a cluster is where no context is named for one that is used', async () => {
  const asked = () => expect.fail('asked');
  const own = { ...cluster('own'), identity: asked };
  const other = { ...cluster('other'), identity: asked };
  const { found, clusters } = await placed(
    [app('x', undefined, 'a'), app('y', 'nameless', 'a')],
    target({ '': own, unused: other }),
  );
  expect(found.map(({ place }) => place)).toEqual([
    { cluster: '', isSeen: true },
    { cluster: 'nameless', isSeen: false },
  ]);
  expect(clusters).toEqual([]);
});

test('where Argo CD’s own kube-system may not be read, no other cluster is looked at', async () => {
  const all = target({ '': cluster(undefined), spoke: cluster('s', GOOD) });
  const { found, clusters } = await placed([app('x', 'spoke', 'a')], all);
  expect(found[0]?.place).toMatchObject({
    ...{ cluster: 'spoke', isSeen: false },
    unseen: expect.stringContaining(
      "no permission to read the Namespace kube-system of Argo CD's own cluster",
    ),
  });
  expect(clusters).toEqual([]);
});

test('objects that may not be read prove nothing', async () => {
  const all = target({ spoke: cluster('s', { a: 'unknown' }) });
  const { found } = await placed([app('x', 'spoke', 'a')], all);
  expect(found[0]?.place).toMatchObject({
    ...{
      isSeen: false,
      unseen: expect.stringContaining('no object of the Application may be read'),
    },
  });
});

test('Events are not compared: they come and go', async () => {
  const one = app('x', 'spoke');
  const event = object('Event', 'a', { uid: 'uid-a' });
  const all = target({ spoke: cluster('s', GOOD) });
  const { found } = await placed([{ ...one, objects: [event] }], all);
  expect(found[0]?.place.isSeen).toBe(false);
});

test('the same 20 objects are compared, in whatever order Argo CD shows them', async () => {
  const names = Array.from({ length: 21 }, (_, at) => `o${at + 10}`);
  for (const order of [names, names.toReversed()]) {
    const asked: string[] = [];
    const spoke = cluster('s', { o30: 'uid-o30' });
    const get: Place['objects']['get'] = async (object) => {
      asked.push(object.name);
      return await spoke.objects.get(object);
    };
    const all = target({ spoke: { ...spoke, objects: { ...spoke.objects, get } } });
    const { found } = await placed([app('x', 'spoke', ...order)], all);
    expect(asked).toEqual(names.slice(0, 20));
    // Only the last one is there.
    expect(found[0]?.place.isSeen).toBe(false);
  }
});

test('an Application that shows nothing is not looked at beside one that does, in the same cluster', async () => {
  const all = target({ a: cluster('s', GOOD), b: cluster('s', GOOD) });
  const { found, clusters, clusterOf } = await placed(
    [app('x', 'b', 'a'), app('y', 'b'), app('z', 'a', 'a')],
    all,
  );
  expect(found.map(({ place: { cluster: name, isSeen } }) => [name, isSeen])).toEqual([
    ['a', true],
    ['a', false],
    ['a', true],
  ]);
  expect(clusters).toEqual([{ cluster: 'a', context: 'ctx-a', uid: 's' }]);
  expect([clusterOf('b'), clusterOf(undefined), clusterOf('c')]).toEqual(['a', '', undefined]);
});

test('a context that reaches the cluster of another destination makes them no one cluster', async () => {
  const all = target({ a: cluster('s', GOOD), b: cluster('s', GOOD) });
  const { found, clusterOf } = await placed([app('x', 'a', 'a'), app('y', 'b', 'other')], all);
  expect(found[1]?.place).toMatchObject({ cluster: 'b', isSeen: false });
  expect(clusterOf('b')).toBeUndefined();
});

test('an error that is not of the cluster is not taken for its silence', async () => {
  const broken = { ...cluster('s'), identity: () => Promise.reject(new Error('bug')) };
  await expect(placed([app('x', 'a', 'a')], target({ a: broken }))).rejects.toThrow('bug');
});

test.each<[ErrorCode, string]>([
  ['kubeconfig-invalid', 'the kubeconfig does not have it, or its credentials cannot be obtained.'],
  ['cluster-unreachable', 'the cluster does not answer.'],
  ['cluster-tls', 'the certificate of the cluster is not accepted.'],
  ['cluster-unauthorized', 'the cluster does not accept its credentials.'],
  ['cluster-forbidden', 'a permission in that cluster is missing.'],
  ['cluster-answer-invalid', 'the cluster does not answer like a Kubernetes API.'],
  ['bug', 'the cluster cannot be read.'],
])('of an error nothing but its code is told: %s', async (code, why) => {
  const error = new TiphysError([{ code, message: 'token=s3cret', details: ['at 12:01'] }]);
  const fail = () => Promise.reject(error);
  const unseen = `The context "ctx-a" is not used: ${why}`;
  const objects = { ...cluster('s').objects, get: fail };
  for (const broken of [
    { ...cluster('s'), identity: fail },
    { ...cluster('s'), objects },
  ]) {
    const { found } = await placed([app('x', 'a', 'a')], target({ a: broken }));
    expect(found[0]?.place).toEqual({ cluster: 'a', isSeen: false, unseen });
  }
});

test.each<[string, string | undefined, string | undefined]>([
  ['in the same cluster', 'a', 'other'],
  ['in a cluster that nobody can tell', 'unknown', 'other'],
  ['in Argo CD’s own', undefined, undefined],
])('a namespace that another Application makes %s', async (_, remoteCluster, otherUser) => {
  const all = target({ a: cluster('s', GOOD) });
  const places = await placed([app('x', 'a', 'a')], all);
  const other = application({ name: 'other', uid: 'o', remoteCluster, createsNamespace: 'web' });
  const listed = [...places.found.map(({ view }) => view), other];
  expect(await madeNamespaces(places, listed, all)).toEqual([
    { cluster: 'a', name: 'web', uid: 's web', otherUser },
  ]);
});

test.each([
  ['another one', { a: 'uid-other' }],
  ['another one beside the same', { a: 'uid-a', b: 'uid-other' }],
])('a context that shows %s under the name of an object is wrong', async (_, has) => {
  const all = target({ spoke: cluster('s', has) });
  const { found, clusters } = await placed([app('x', 'spoke', 'a', 'b')], all);
  expect(found[0]?.place).toMatchObject({
    ...{ cluster: 'spoke', isSeen: false },
    wrong: expect.stringContaining('is a different object there'),
  });
  expect(clusters).toEqual([]);
});

test('a destination that is Argo CD’s own cluster under another name is that one', async () => {
  const all = target({ '': cluster('own', GOOD), alias: cluster('own', GOOD) });
  const { found, clusters, clusterOf } = await placed([app('x', 'alias', 'a')], all);
  expect(found[0]?.place).toEqual({ cluster: '', isSeen: true });
  expect([clusters, clusterOf('alias'), clusterOf(undefined)]).toEqual([[], '', '']);
});

test('a cluster that was approved is reached, or it is an error', async () => {
  const approved = { cluster: 'spoke', context: 'ctx', uid: 's' };
  await assertReached(approved, cluster('s'));
  for (const other of [cluster('t'), cluster(undefined)])
    await expect(assertReached(approved, other)).rejects.toMatchObject({
      diagnostics: [{ code: 'teardown-differs', message: expect.stringContaining('"ctx"') }],
    });
});
