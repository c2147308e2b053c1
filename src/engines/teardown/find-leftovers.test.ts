import { expect, test } from 'vitest';
import { foundApplication, inventoryOf } from '../../../test/fakes/inventory.ts';
import { inMemory, listedObject, type Memory } from '../../../test/fakes/objects.ts';
import type { Inventory, InventoryApplication } from '../../inventory/inventory.ts';
import { renderResource } from '../../ports/application-view.ts';
import { findLeftovers } from './find-leftovers.ts';

const CONFIG = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'config' };
const CLAIM = { group: '', kind: 'PersistentVolumeClaim', namespace: 'n', name: 'data' };
const SERVICE = { group: '', kind: 'Service', namespace: 'n', name: 'hook' };
const NAMESPACE = { group: '', kind: 'Namespace', namespace: '', name: 'own' };

const goes = { why: null };
const kept = (name: string, why = 'the data') => ({ ...CLAIM, name, why, uid: null });

/** What is told of a cluster like this, after a teardown of one Application. */
async function told(
  part: Partial<InventoryApplication>,
  memory: Partial<Memory>,
  inventory: Partial<Inventory> = {},
): Promise<string[]> {
  const applications = [foundApplication('a', { deletes: [], ...part })];
  const found = await findLeftovers(
    inventoryOf({ applications, ...inventory }),
    '',
    inMemory({ objects: [], ...memory }),
  );
  return found.map(
    ({ resource, why, announced }) =>
      `${renderResource(resource)}: ${why}${announced ? ' (announced)' : ''}`,
  );
}

test.each([
  ['with the tracking id of an Application', { tracker: 'a' }, ['it was created by "a"']],
  ['with that of another one', { tracker: 'z', uid: 'approved' }, []],
  ['with none, and another uid', {}, []],
  ['with none, approved by its uid', { uid: 'approved' }, ['it should have been deleted']],
  [
    'that is being deleted',
    { tracker: 'a', deletingSince: 7 },
    ['it was created by "a", and is being deleted'],
  ],
])('an object of an approved kind %s', async (_, part, whys) => {
  const deletes = [{ ...CONFIG, ...goes, uid: 'approved' }];
  const objects = [listedObject(CONFIG, part)];
  expect(await told({ deletes }, { objects })).toEqual(
    whys.map((why) => `ConfigMap n/config: ${why}`),
  );
});

test('an Application in a namespace of its own is tracked by both names', async () => {
  const deletes = [{ ...CONFIG, ...goes }];
  const names = ['a', 'team_a', 'argocd_a'];
  const objects = names.map((tracker) => listedObject({ ...CONFIG, name: tracker }, { tracker }));
  expect(await told({ deletes, namespace: 'team' }, { objects })).toEqual([
    'ConfigMap n/team_a: it was created by "team_a"',
  ]);
  expect(await told({ deletes }, { objects })).toEqual(['ConfigMap n/a: it was created by "a"']);
});

test('an Application is nobody’s leftover; what is called alike is', async () => {
  const kinds = [
    ['argoproj.io', 'Application'],
    ['argoproj.io', 'AppProject'],
    ['app.k8s.io', 'Application'],
  ] as const;
  const all = kinds.map(([group, kind]) => ({ ...CONFIG, group, kind }));
  const deletes = all.map((one) => ({ ...one, ...goes }));
  const objects = all.map((one) => listedObject(one, { tracker: 'a' }));
  expect(await told({ deletes }, { objects })).toEqual([
    'app.k8s.io/Application n/config: it was created by "a"',
    'argoproj.io/AppProject n/config: it was created by "a"',
  ]);
});

test('what is in another cluster is not looked for here', async () => {
  const deletes = [{ ...CONFIG, ...goes, uid: 'approved' }, NAMESPACE].map((one) => ({
    ...one,
    ...goes,
  }));
  const objects = [listedObject(CONFIG, { tracker: 'a' }), listedObject(NAMESPACE)];
  expect(await told({ deletes, destination: 'https://elsewhere' }, { objects })).toEqual([]);
});

test('kinds that may not be read are passed over, and the rest is told', async () => {
  const deletes = [CONFIG, CLAIM, SERVICE].map((one) => ({ ...one, ...goes }));
  const objects = [CONFIG, CLAIM, SERVICE].map((one) => listedObject(one, { tracker: 'a' }));
  const memory = { objects, hidden: ['Service'], volumes: 'unknown', webhooks: 'unknown' } as const;
  const keeps = [kept('data-*')];
  expect(await told({ deletes, keeps }, memory)).toEqual([
    'ConfigMap n/config: it was created by "a"',
    'PersistentVolumeClaim n/data: it was created by "a"',
  ]);
  expect(
    await told({ deletes, keeps }, { ...memory, hidden: ['PersistentVolumeClaim'] }),
  ).toHaveLength(2);
});

test('everything is told once, by name', async () => {
  const names = ['b', 'a', 'c', 'data-1', 'data-0'];
  const objects = names.map((name) => listedObject({ ...CLAIM, name }, { tracker: 'a' }));
  const found = await told({ keeps: [kept('data-*')] }, { objects });
  expect(found.map((line) => line.split(':')[0])).toEqual(
    [...names].sort().map((name) => `PersistentVolumeClaim n/${name}`),
  );
});

test.each([
  ['data', { name: 'data' }, true],
  ['data', { name: 'data-0' }, false],
  ['data', { group: 'example.com' }, false],
  ['data', { kind: 'Secret' }, false],
  ['data', { namespace: 'other' }, false],
  ['data', { namespace: '' }, true],
  ['data-db-*', { name: 'data-db-0' }, true],
  ['data-db-*', { name: 'data-db-12' }, true],
  ['data-db-*', { name: 'data-db-' }, false],
  ['data-db-*', { name: 'data-db-x1' }, false],
  ['data-db-*', { name: 'data-db-1x' }, false],
  ['data-db-*', { name: '1data-db-' }, false],
  ['data-db-*', { name: 'other-db-1' }, false],
])('that %s stays was announced of %j: %s', async (name, part, isAnnounced) => {
  const object = { ...CLAIM, ...part };
  const deletes = [{ ...object, ...goes }];
  const [first] = await told(
    { deletes, keeps: [kept(name)] },
    { objects: [listedObject(object, { tracker: 'a' })] },
  );
  const why = isAnnounced ? 'the data (announced)' : 'it was created by "a"';
  expect(first).toBe(`${renderResource(object)}: ${why}`);
});

test('claims that a StatefulSet made are told in its namespace; others of a kept name are not', async () => {
  const claims = ['data-db-0', 'data-db-x', 'other'].flatMap((name) =>
    ['n', 'm'].map((namespace) => listedObject({ ...CLAIM, name, namespace })),
  );
  const objects = [...claims, listedObject({ ...CLAIM, kind: 'Secret', name: 'data-db-0' })];
  const keeps = [kept('data-db-*'), { ...kept('other'), namespace: 'm' }];
  expect(await told({ keeps }, { objects })).toEqual([
    'PersistentVolumeClaim n/data-db-0: the data (announced)',
  ]);
});

test('claims are asked for in their namespace: the right to list them may end there', async () => {
  const target = inMemory({ objects: [listedObject({ ...CLAIM, name: 'data-db-0' })] });
  const list: typeof target.objects.list = async (kind, namespace) =>
    namespace === 'n' ? await target.objects.list(kind, namespace) : 'unknown';
  const applications = [foundApplication('a', { keeps: [kept('data-db-*')] })];
  const limited = { ...target, objects: { ...target.objects, list } };
  expect(await findLeftovers(inventoryOf({ applications }), '', limited)).toHaveLength(1);
});

const MADE = { name: 'own', uid: 'uid-own' };
const TO_GO = 'Namespace own: it should have been deleted but still exists';

test.each([
  ['one that was to go', { ...MADE, why: null }, {}, [TO_GO]],
  [
    'one that was to stay',
    { ...MADE, why: 'others use it' },
    {},
    ['Namespace own: others use it (announced)'],
  ],
  ['another one of its name', { ...MADE, uid: 'approved', why: null }, {}, []],
  ['one whose uid was not known', { name: 'own', uid: '', why: null }, {}, [TO_GO]],
  [
    'one that may not be read',
    { ...MADE, uid: 'any', why: null },
    { hidden: ['Namespace'] },
    [TO_GO],
  ],
  ['one that is gone', { name: 'gone', uid: 'uid-gone', why: null }, {}, []],
  [
    'one that hangs',
    { ...MADE, why: 'others use it' },
    { terminating: { own: 'a finalizer' } },
    ['Namespace own: it is Terminating: a finalizer'],
  ],
  [
    'one that hangs silently',
    { ...MADE, why: null },
    { terminating: { own: '' } },
    ['Namespace own: it is Terminating: no reason is given'],
  ],
  [
    'one of which that may not be read',
    { ...MADE, why: 'others use it' },
    { terminating: { own: 'unknown' } },
    ['Namespace own: others use it (announced)'],
  ],
])('of a namespace that Argo CD made, %s', async (_, made, memory, lines) => {
  const objects = [listedObject(NAMESPACE)];
  expect(await told({}, { objects, ...memory }, { namespaces: [made] })).toEqual(lines);
});

test('Argo CD’s own Namespace is no leftover, but one of that name in another cluster is', async () => {
  const argocd = { ...NAMESPACE, name: 'argocd' };
  const own = { name: 'argocd', uid: 'u', why: 'others use it' };
  const namespaces = [own, { ...own, cluster: 'spoke' }];
  const memory = inMemory({ objects: [listedObject(argocd, { uid: 'u' })] });
  const found = (cluster: string) => findLeftovers(inventoryOf({ namespaces }), cluster, memory);
  expect(await found('')).toEqual([]);
  expect(await found('spoke')).toMatchObject([{ resource: argocd }]);
});

test('a Namespace that an Application had is told of, and no other object', async () => {
  const pod = { group: '', kind: 'Pod', namespace: '', name: 'pod' };
  const alike = { ...NAMESPACE, group: 'example.com', name: 'alike' };
  const namesakes = ['pod', 'alike', 'stays'].map((name) => ({ ...NAMESPACE, name }));
  const objects = [NAMESPACE, ...namesakes].map((one) => listedObject(one));
  const deletes = [NAMESPACE, pod, alike].map((one) => ({ ...one, ...goes }));
  const keeps = [{ ...NAMESPACE, name: 'stays', why: 'shared', uid: null }];
  expect(await told({ deletes, keeps }, { objects })).toEqual([TO_GO]);
  const approved = [{ ...NAMESPACE, ...goes, uid: 'approved' }];
  expect(await told({ deletes: approved }, { objects })).toEqual([]);
});

const volume = (name: string, claim: string, part: object = {}) => ({
  ...{ name, phase: 'Released', claim: { namespace: 'n', name: claim, uid: `uid-${claim}` } },
  ...part,
});
const released = (name: string, claim: string) =>
  `PersistentVolume ${name}: its claim was deleted: n/${claim} (announced)`;

test('volumes are told that were bound to an approved claim, by its uid or its pattern', async () => {
  const volumes = [
    volume('pv-data', 'data'),
    volume('pv-bound', 'data', { phase: 'Bound' }),
    volume('pv-free', 'data', { claim: undefined }),
    volume('pv-again', 'data', { claim: { namespace: 'n', name: 'data', uid: 'other' } }),
    volume('pv-config', 'config'),
    volume('pv-set', 'data-db-3'),
    volume('pv-elsewhere', 'data-db-3', {
      claim: { namespace: 'm', name: 'data-db-3', uid: 'u' },
    }),
  ];
  const deletes = [{ ...CLAIM, ...goes, uid: 'uid-data' }];
  const keeps = [kept('data-db-*'), kept('config')];
  expect(await told({ deletes, keeps }, { volumes })).toEqual([
    released('pv-data', 'data'),
    released('pv-set', 'data-db-3'),
  ]);
  expect(await told({ deletes }, { volumes })).toEqual([released('pv-data', 'data')]);
  expect(await told({ keeps }, { volumes })).toEqual([released('pv-set', 'data-db-3')]);
});

test('where no claim and no Service was approved, neither volumes nor webhooks are asked for', async () => {
  const { residue, ...target } = inMemory({});
  const asked = () => Promise.reject(new Error('asked'));
  const silent = { ...target, residue: { ...residue, volumes: asked, webhooks: asked } };
  expect(await findLeftovers(inventoryOf(), '', silent)).toEqual([]);
});

test('what was bound to something else of a claim’s name is not told', async () => {
  const others = [
    { ...CLAIM, group: 'example.com', ...goes, uid: 'uid-data' },
    { ...CONFIG, ...goes, uid: 'uid-data' },
  ];
  const volumes = [volume('pv-data', 'data')];
  expect(await told({ deletes: others }, { volumes })).toEqual([]);
});

const webhook = (name: string, ...services: readonly object[]) => ({
  ...{ group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' },
  ...{ namespace: '', name, services: services.map((part) => ({ ...SERVICE_NAME, ...part })) },
});
const SERVICE_NAME = { namespace: 'n', name: 'hook' };
const dead = (name: string) =>
  `admissionregistration.k8s.io/ValidatingWebhookConfiguration ${name}: the Service that it calls was deleted: n/hook`;

test('webhooks are told that ask a Service of the inventory which is gone', async () => {
  const webhooks = [
    webhook('asks', {}),
    webhook('asks-both', { name: 'alive' }, {}),
    webhook('asks-alive', { name: 'alive' }),
    webhook('asks-other', { name: 'other' }),
    webhook('asks-elsewhere', { namespace: 'm' }),
    webhook('asks-nobody'),
  ];
  const alive = { ...SERVICE, name: 'alive' };
  const deletes = [SERVICE, alive].map((one) => ({ ...one, ...goes }));
  const objects = [listedObject(alive)];
  expect(await told({ deletes }, { objects, webhooks })).toEqual([dead('asks'), dead('asks-both')]);
  // One that may not be read may be there.
  expect(await told({ deletes }, { objects, webhooks, hidden: ['Service'] })).toEqual([]);
  const others = [
    { ...SERVICE, ...goes, group: 'serving.knative.dev' },
    { ...SERVICE, ...goes, kind: 'Endpoints' },
  ];
  expect(await told({ deletes: others }, { webhooks })).toEqual([]);
});
