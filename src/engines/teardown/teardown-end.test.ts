import { expect, test } from 'vitest';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { inMemory, listedObject, type Memory } from '../../../test/fakes/objects.ts';
import { planOf, World } from '../../../test/fakes/run-world.ts';
import { sessionIn } from '../../../test/fakes/session.ts';
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { ListedObject } from '../../ports/cluster-objects.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';
import { lookAtTheRest } from './teardown-end.ts';

const PLAN = planOf('a:', 'b: a');
const OWN: ResourceName = { group: '', kind: 'Namespace', namespace: '', name: 'own' };
const THINGS: ResourceName = {
  ...{ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', namespace: '' },
  name: 'things.x',
};
const SECRET: ResourceName = { group: '', kind: 'Secret', namespace: 'own', name: 'secret' };
const THING: ResourceName = { group: 'x', kind: 'Thing', namespace: 'other', name: 'thing' };
const APPROVED = {
  applications: ['a', 'b'].map((name) => foundApplication(name, { deletes: [] })),
  namespaces: [
    { name: 'own', uid: 'uid-own', why: null },
    { name: 'shared', uid: 'uid-shared', why: 'others use it' },
  ],
  definitions: [
    { ...THINGS, uid: 'uid-things.x', node: 'app:a', defines: { group: 'x', kind: 'Thing' } },
  ],
} satisfies Partial<Inventory>;
const SHARED = 'left Namespace shared: others use it (announced)';

/** What is in the cluster when all Applications are gone. What is deleted goes after some seconds. */
class Rest {
  readonly world = new World({});
  readonly removed: string[] = [];
  readonly answers: (WriteResult | 'hangs')[] = [];
  readonly stop = new AbortController();
  readonly approved: Inventory;
  there: readonly ListedObject[];
  isGone: (id: string) => boolean = () => true;
  snapshots: readonly Leftover[] = [];

  constructor(more: readonly ListedObject[] = [], memory: Partial<Memory> = {}) {
    this.approved = inventoryOf(APPROVED);
    const namespaces = [OWN, { ...OWN, name: 'shared' }, THINGS].map((one) => listedObject(one));
    this.there = [...namespaces, ...more];
    const now = () => inMemory({ objects: this.there, ...memory }).objects;
    this.world.part.objects = {
      get: (resource) => now().get(resource),
      list: (kind, namespace) => now().list(kind, namespace),
      contents: (namespace) => now().contents(namespace),
      remove: async (resource, uid) => {
        this.removed.push(`${renderResource(resource)} ${uid}`);
        const answer = this.answers.shift();
        if (!answer) void this.goes(resource, 3_000);
        return answer === undefined || answer === 'hangs' ? { kind: 'done' } : answer;
      },
      prepareFinalizerRemoval: async () => async () => ({ kind: 'done' }),
    };
  }

  async goes({ kind, name }: ResourceName, ms: number): Promise<void> {
    await this.world.clock.sleep(ms);
    this.there = this.there.filter((one) => one.kind !== kind || one.name !== name);
  }

  /** What is told, in order; at last whether it could be looked at. */
  async look(): Promise<readonly (string | boolean)[]> {
    const { world, approved, isGone, snapshots } = this;
    const session = await sessionIn(world, PLAN);
    const spec = { deployment: PLAN, approved, stuckAfter: 20, unsafe: new Set<string>() };
    const held = async () => {};
    const look = { spec, session, isGone, held, signal: this.stop.signal, snapshots };
    const isLookedAt = await world.clock.until(lookAtTheRest(look));
    return [...world.events.map(tellingOf), isLookedAt];
  }
}

function tellingOf(event: World['events'][number]): string {
  if (event.type === 'object.left')
    return `left ${renderResource(event.resource)}: ${event.why}${event.announced ? ' (announced)' : ''}`;
  if (event.type === 'run.warning') return `warning ${event.message}`;
  return 'resource' in event && typeof event.resource === 'object'
    ? `${event.type} ${renderResource(event.resource)}`
    : event.type;
}

const deleted = (resource: ResourceName) => [
  `object.delete-requested ${renderResource(resource)}`,
  `object.removed ${renderResource(resource)}`,
];
const left = (resource: ResourceName, why: string) => `left ${renderResource(resource)}: ${why}`;

test('namespaces go by uid, then definitions; what was to stay stays', async () => {
  const rest = new Rest();
  expect(await rest.look()).toEqual([...deleted(OWN), ...deleted(THINGS), SHARED, true]);
  expect(rest.removed).toEqual([
    'Namespace own uid-own',
    'apiextensions.k8s.io/CustomResourceDefinition things.x uid-things.x',
  ]);
});

test('nothing goes while one of the Applications is there', async () => {
  const rest = new Rest();
  rest.isGone = (id) => id === 'app:a';
  const told = await rest.look();
  expect(told).toEqual([left(OWN, 'it should have been deleted but still exists'), SHARED, true]);
  expect(rest.removed).toEqual([]);
});

test('nothing goes where one of them was made again right before', async () => {
  const rest = new Rest();
  let asked = 0;
  rest.isGone = (id) => ++asked <= 2 || id !== 'app:b';
  const warning = 'warning remaining objects could not be read: b still exists';
  expect([await rest.look(), rest.removed]).toEqual([[warning, false], []]);
});

test.each<[string, readonly ResourceName[], string]>([
  ['one object', [SECRET], 'Secret own/secret is in it'],
  [
    'several',
    [SECRET, ...['t', 'u'].map((name) => ({ ...SECRET, name }))],
    'Secret own/secret and 2 more are in it',
  ],
])('a namespace with %s stays, and is told', async (_, objects, why) => {
  const rest = new Rest(objects.map((one) => listedObject(one)));
  expect(await rest.look()).toEqual([...deleted(THINGS), left(OWN, why), SHARED, true]);
  expect(rest.world.clock.monotonic()).toBeGreaterThanOrEqual(30_000);
});

test.each<[string, Partial<ResourceName>, boolean]>([
  ['what Kubernetes makes', { kind: 'ConfigMap', name: 'kube-root-ca.crt' }, true],
  ['what Kubernetes makes', { kind: 'ServiceAccount', name: 'default' }, true],
  ['what tells of the past', { kind: 'Event' }, true],
  ['what tells of the past', { group: 'events.k8s.io', kind: 'Event' }, true],
  [
    'what lets a teardown look',
    { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding', name: 'tiphys-teardown' },
    true,
  ],
  ['a user’s own', { group: 'x', kind: 'RoleBinding', name: 'tiphys-teardown' }, false],
  ['a user’s own', { kind: 'ConfigMap', name: 'default' }, false],
  ['a user’s own', { kind: 'ServiceAccount', name: 'kube-root-ca.crt' }, false],
  ['a user’s own', { group: 'x', kind: 'ServiceAccount', name: 'default' }, false],
])('in a namespace, %s: %j goes with it: %s', async (_, part, goes) => {
  const rest = new Rest([listedObject({ ...SECRET, ...part })]);
  await rest.look();
  expect(rest.removed.includes('Namespace own uid-own')).toBe(goes);
});

test('a definition stays while there is an object of its kind, wherever that is', async () => {
  const rest = new Rest([listedObject(THING)]);
  expect(await rest.look()).toEqual([
    ...deleted(OWN),
    left(THINGS, 'x/Thing other/thing is of its kind'),
    SHARED,
    true,
  ]);
});

test('what goes by itself within half a minute is waited for', async () => {
  const rest = new Rest([listedObject(SECRET)]);
  void rest.goes(SECRET, 29_000);
  expect(await rest.look()).toEqual([...deleted(OWN), ...deleted(THINGS), SHARED, true]);
  const late = new Rest([listedObject(SECRET)]);
  void late.goes(SECRET, 30_500);
  expect(await late.look()).toContain(left(OWN, 'Secret own/secret is in it'));
});

test.each<[string, Partial<Memory>, readonly string[]]>([
  [
    'the contents of a namespace',
    { unlisted: 'no right' },
    [...deleted(THINGS), left(OWN, 'its contents are unknown: no right')],
  ],
  [
    'the objects of a kind',
    { hidden: ['Thing'] },
    [...deleted(OWN), left(THINGS, 'no permission to read the objects of its kind')],
  ],
  [
    'a definition',
    { hidden: [THINGS.kind] },
    [...deleted(OWN), left(THINGS, 'no permission to read it')],
  ],
])('where %s cannot be read, it stays', async (_, memory, told) => {
  const rest = new Rest([], memory);
  expect(await rest.look()).toEqual([...told, SHARED, true]);
  expect(rest.removed).toHaveLength(1);
});

test('recreated after the approval stays, and one that is gone is not missed', async () => {
  const rest = new Rest();
  rest.there = [listedObject(THINGS, { uid: 'another' })];
  const told = [left(THINGS, 'it was recreated after the approval'), true];
  expect([await rest.look(), rest.removed]).toEqual([told, []]);
});

test.each<[string, WriteResult | 'hangs', readonly string[], number]>([
  [
    'that is refused',
    { kind: 'refused', reason: 'forbidden', message: 'not you' },
    [...deleted(THINGS), left(OWN, 'not you')],
    3_000,
  ],
  [
    'without any effect',
    'hangs',
    [
      `object.delete-requested Namespace own`,
      ...deleted(THINGS),
      left(OWN, 'it is not deleted in time'),
    ],
    23_000,
  ],
])('a deletion %s leaves it', async (_, answer, told, ms) => {
  const rest = new Rest();
  rest.answers.push(answer);
  expect(await rest.look()).toEqual([...told, SHARED, true]);
  expect(rest.world.clock.monotonic()).toBe(ms);
});

test('what was gone before its deletion was sent is removed', async () => {
  const rest = new Rest();
  rest.answers.push({ kind: 'refused', reason: 'not-found', message: 'none' });
  void rest.goes(OWN, 1_000);
  expect(await rest.look()).toEqual([...deleted(OWN), ...deleted(THINGS), SHARED, true]);
});

test('a deletion is waited for as long as it takes to hang; another of its name is not it', async () => {
  const rest = new Rest();
  rest.answers.push('hangs', 'hangs');
  void rest.world.clock.sleep(30_000).then(() => {
    rest.there = rest.there.map((one) => (one.kind === THINGS.kind ? { ...one, uid: 'new' } : one));
  });
  const requested = 'object.delete-requested Namespace own';
  const told = [
    requested,
    ...deleted(THINGS),
    left(OWN, 'it is not deleted in time'),
    SHARED,
    true,
  ];
  expect(await rest.look()).toEqual(told);
  expect(rest.world.clock.monotonic()).toBe(30_000);
});

test('told to leave, it does not wait for a deletion', async () => {
  const rest = new Rest();
  rest.answers.push('hangs');
  void rest.world.clock.sleep(5_000).then(() => rest.stop.abort());
  expect(await rest.look()).toEqual(['object.delete-requested Namespace own', false]);
  expect(rest.world.clock.monotonic()).toBe(5_000);
});

test('snapshots are told as announced, and nothing is told twice', async () => {
  const rest = new Rest([listedObject(SECRET)]);
  const snapshot = { ...THING, kind: 'VolumeSnapshot' };
  rest.snapshots = [leftover(snapshot, 'the snapshot', true)];
  expect(await rest.look()).toEqual([
    ...deleted(THINGS),
    left(OWN, 'Secret own/secret is in it'),
    `${left(snapshot, 'the snapshot')} (announced)`,
    SHARED,
    true,
  ]);
});

test('told to leave, it deletes nothing and says nothing more', async () => {
  const rest = new Rest();
  rest.stop.abort();
  expect([await rest.look(), rest.removed]).toEqual([[false], []]);
  const busy = new Rest([listedObject(SECRET), listedObject(THING)]);
  busy.stop.abort();
  await busy.look();
  expect(busy.world.clock.monotonic()).toBe(0);
});

test('a cluster that cannot be read is a warning; a bug is none', async () => {
  const rest = new Rest();
  const failing = (error: Error) => {
    const objects = rest.world.part.objects;
    if (objects) rest.world.part.objects = { ...objects, get: () => Promise.reject(error) };
  };
  failing(new TiphysError([{ code: 'cluster-unreachable', message: 'no route' }]));
  expect(await rest.look()).toEqual([
    'warning remaining objects could not be read: no route',
    false,
  ]);
  failing(new Error('a bug'));
  await expect(rest.look()).rejects.toThrow('a bug');
});
