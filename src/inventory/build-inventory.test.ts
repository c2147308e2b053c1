import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import type { ApplicationView, ManagedObject } from '../ports/application-view.ts';
import { buildInventory, type Findings } from './build-inventory.ts';
import { type Found, placeWithout } from './fate.ts';
import { CAUTIOUS, type Policy } from './inventory.ts';
import type { FoundNamespace } from './namespaces.ts';

const KIND = { group: 'example.com', kind: 'Database' };
const database = (wave = 0) =>
  object('Database', 'main', { ...KIND, finalizers: ['example.com/cleanup'], wave });
const definition = object('CustomResourceDefinition', 'databases.example.com', {
  ...{ group: 'apiextensions.k8s.io', namespace: '', defines: KIND },
});
const workload = (wave = 0) => object('Deployment', 'operator', { group: 'apps', wave });
const CASCADING = ['resources-finalizer.argocd.argoproj.io'];

const KEPT = object('ConfigMap', 'kept', { syncOptions: ['Delete=false'] });

type Objects = Readonly<Record<string, readonly ManagedObject[]>>;

/** Applications with dependencies, and what each of them has. */
function inventory(
  dependencies: Readonly<Record<string, readonly string[]>>,
  objects: Objects,
  more: {
    readonly views?: Readonly<Record<string, Partial<ApplicationView>>>;
    readonly policy?: Partial<Policy>;
    readonly findings?: Partial<Findings>;
  } = {},
) {
  const applications = Object.entries(dependencies).map(([name, dependsOn]) => ({
    name,
    dependsOn,
  }));
  const file = {
    ...{ apiVersion: 'tiphys.dev/v1alpha1', kind: 'Platform', metadata: { name: 'shop' } },
    spec: { stacks: [{ name: 'all', applications }] },
  };
  const compiled = compile({ file: 'platform.yaml', text: JSON.stringify(file) });
  const plan = buildPlan(compiled, { action: 'teardown' });
  const found = plan.nodes.flatMap(({ id, application: name }): Found[] => {
    if (name === null) return [];
    const changes = { name, uid: `uid-${name}`, finalizers: CASCADING, ...more.views?.[name] };
    return [
      {
        ...{ id, view: application(changes), instance: name, objects: objects[name] },
        ...{ problem: undefined, deleteOption: undefined, place: placeWithout(undefined) },
      },
    ];
  });
  return buildInventory({
    ...{ plan, argocdNamespace: 'argocd', found, gone: [], namespaces: [] },
    ...{
      withoutSnapshots: [],
      left: [],
      clusters: [],
      outsiders: [],
      untracked: undefined,
      unreadable: [],
    },
    policy: { ...CAUTIOUS, ...more.policy },
    ...{ makers: [], dependents: [], outside: [], unexpected: [], ...more.findings },
  });
}

const one = (objects: readonly ManagedObject[], policy: Partial<Policy> = {}) =>
  inventory({ db: [] }, { db: objects }, { policy });
const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

test('applications come in the order in which they go', () => {
  const { applications } = inventory({ a: [], b: ['a'], c: ['b'] }, {});
  expect(applications.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
});

test.each<[string, ManagedObject, string | null]>([
  ['a plain object goes', object('ConfigMap', 'a'), null],
  ['one with its own tracking id goes', object('ConfigMap', 'a', { tracker: 'db' }), null],
  ['with Prune=false it goes', object('ConfigMap', 'a', { syncOptions: ['Prune=false'] }), null],
  ['with Delete=false it stays', object('A', 'a', { syncOptions: ['Delete=false'] }), 'Delete=fal'],
  ['kept by Helm it stays', object('A', 'a', { keptByHelm: true }), 'helm.sh/resource-policy'],
  ['of another Application it stays', object('A', 'a', { tracker: 'b' }), 'it belongs to App'],
  ['what has an owner stays to it', object('A', 'a', { owner: 'B b' }), 'left to its owner, B b'],
  ['definitions stay', definition, 'Argo CD does not delete CRDs'],
])('%s', (_, given, why) => {
  const { deletes, keeps } = one([given]).applications[0] ?? { deletes: [], keeps: [] };
  const { name } = given;
  if (why === null) expect([deletes, keeps]).toMatchObject([[{ name, why: null }], []]);
  else expect([deletes, keeps]).toMatchObject([[], [{ name, why: expect.stringContaining(why) }]]);
});

test('what lies in a namespace that goes, goes, whatever keeps it', () => {
  const kept = object('PersistentVolumeClaim', 'data', { syncOptions: ['Delete=false'] });
  const namespace = object('Namespace', 'data', { namespace: '' });
  const { applications, refusals, warnings } = inventory(
    { base: [], db: ['base'] },
    { base: [namespace], db: [kept] },
  );
  expect(applications[0]?.deletes).toMatchObject([{ why: 'its Namespace is deleted with "base"' }]);
  expect(codes(refusals)).toEqual(['volume-deleted']);
  expect(codes(warnings)).toEqual(['namespace-deleted']);
  const survives = object('Namespace', 'data', { namespace: '', syncOptions: ['Delete=false'] });
  const calm = inventory({ base: [], db: ['base'] }, { base: [survives], db: [kept] });
  expect([calm.refusals, calm.warnings]).toEqual([[], []]);
});

test('claims are refused unless they may go', () => {
  const claim = object('PersistentVolumeClaim', 'data');
  expect(codes(one([claim]).refusals)).toEqual(['volume-deleted']);
  expect(one([claim], { volumes: 'delete' }).refusals).toEqual([]);
  expect(one([{ ...claim, syncOptions: ['Delete=false'] }]).refusals).toEqual([]);
});

test('claims that a StatefulSet made stay, unless it says that they go with it', () => {
  const set = { group: 'apps', claimTemplates: ['disk'] };
  const made = { kind: 'PersistentVolumeClaim', namespace: 'data', name: 'disk-main-*' };
  const kept = one([object('StatefulSet', 'main', set)]);
  expect(kept.applications[0]?.keeps).toMatchObject([made]);
  expect(kept.refusals).toEqual([]);
  const along = one([object('StatefulSet', 'main', { ...set, deletesClaims: true })]);
  expect(along.applications[0]?.deletes).toMatchObject([made, { name: 'main' }]);
  expect(codes(along.refusals)).toEqual(['volume-deleted']);
});

const operator = [definition, workload()];

test('an operator that goes after its instance is in nobody’s way', () => {
  const { applications, warnings } = inventory(
    { operator: [], db: ['operator'] },
    { operator, db: [database()] },
  );
  expect(warnings).toEqual([]);
  expect(applications[0]?.finalizers).toMatchObject([
    { resource: { kind: 'Database' }, finalizer: 'example.com/cleanup', servedBy: ['operator'] },
  ]);
});

test('an operator that may go before its instance is a deadlock, with the edge that cures it', () => {
  const { warnings } = inventory({ operator: [], db: [] }, { operator, db: [database()] });
  expect(warnings).toMatchObject([
    {
      ...{ code: 'finalizer-deadlock', node: 'app:db' },
      message: expect.stringContaining(
        '"operator" seems to remove its finalizer, and may be deleted earlier',
      ),
      hint: expect.stringContaining('dependsOn: [operator]'),
    },
  ]);
});

test('a dependency that points the wrong way is to be turned round', () => {
  const { warnings } = inventory({ operator: ['db'], db: [] }, { operator, db: [database()] });
  expect(warnings).toMatchObject([
    {
      message: expect.stringContaining('and is deleted earlier'),
      hint: expect.stringContaining('not the other way round'),
    },
  ]);
});

test('in one Application the instance needs a higher wave than the operator', () => {
  const within = (wave: number) => codes(one([...operator, database(wave)]).warnings);
  expect([within(-1), within(0), within(1)]).toEqual([
    ['finalizer-deadlock'],
    ['finalizer-deadlock'],
    [],
  ]);
});

test('nothing is claimed of who serves a finalizer where nobody both defines the kind and runs', () => {
  for (const other of [[definition], [workload()], [{ ...definition, defines: undefined }]]) {
    const { applications, warnings } = inventory({ a: [], db: [] }, { a: other, db: [database()] });
    expect(applications.flatMap(({ finalizers }) => finalizers)).toMatchObject([{ servedBy: [] }]);
    expect(warnings).toEqual([]);
  }
});

test('finalizers of Kubernetes and Argo CD are not worth a word, nor are those of what stays', () => {
  const own = ['kubernetes.io/pvc-protection', 'foregroundDeletion', ...CASCADING];
  const kept = { ...database(), syncOptions: ['Delete=false'] };
  const { applications } = one([object('ConfigMap', 'a', { finalizers: own }), kept]);
  expect(applications[0]?.finalizers).toEqual([]);
});

test('Applications of the plan are not listed below their parents; others are, and are refused', () => {
  const child = (name: string) =>
    object('Application', name, { group: 'argoproj.io', namespace: 'argocd' });
  const { applications, refusals } = inventory(
    { parent: [], db: ['parent'] },
    { parent: [child('db'), child('stranger')] },
  );
  const parent = applications.find(({ name }) => name === 'parent');
  expect(parent?.deletes.map(({ name }) => name)).toEqual(['stranger']);
  expect(refusals).toMatchObject([
    { code: 'application-unexpected', message: expect.stringContaining('"stranger"') },
  ]);
});

const STRANGER = { name: 'stranger', namespace: 'argocd', project: 'platform', madeBy: 'root' };

test('what is in the way outside is refused', () => {
  const findings = {
    dependents: ['app:site'],
    unexpected: [STRANGER],
  };
  const outsiders = [
    { kind: 'Application', name: 'all', namespace: 'a', uid: 'u', makes: ['db'] } as const,
  ];
  const { refusals } = inventory({ db: [] }, {}, { findings: { ...findings, outsiders } });
  const wanted = ['dependent-outside', 'maker-outside', 'application-unexpected'];
  expect(codes(refusals)).toEqual(wanted);
});

test('what may surprise is told: no finalizer, hooks, a confirmation, an Application left alone', () => {
  const surprises = (view: Partial<ApplicationView>, objects: readonly ManagedObject[] = []) =>
    codes(inventory({ db: [] }, { db: objects }, { views: { db: view } }).warnings);
  expect(surprises({})).toEqual([]);
  expect(surprises({ finalizers: [] })).toEqual(['finalizer-missing']);
  const hooks = ['post-delete-finalizer.argocd.argoproj.io/cleanup'];
  expect(surprises({ finalizers: [...CASCADING, ...hooks] })).toEqual(['hooks']);
  expect(surprises({ skipped: true })).toEqual(['left-alone']);
  const confirmed = object('ConfigMap', 'a', { syncOptions: ['Delete=confirm'] });
  expect(surprises({}, [confirmed])).toEqual(['deletion-unconfirmed']);
});

test('hooks that were left go', () => {
  const job = { group: 'batch', kind: 'Job', namespace: 'data', name: 'migrate' };
  const { applications } = inventory({ db: [] }, {}, { views: { db: { hooks: [job] } } });
  expect(applications[0]?.deletes).toEqual([{ ...job, why: 'a hook' }]);
});

test('what is unexpected is listed, and not refused, where it may go', () => {
  const findings = { unexpected: [STRANGER] };
  const taken = inventory({ db: [] }, {}, { findings, policy: { includeUnexpected: true } });
  expect([taken.unexpected, taken.refusals]).toEqual([[STRANGER], []]);
  expect(inventory({ db: [] }, {}, { findings }).unexpected).toEqual([]);
});

test.each<[string, Partial<FoundNamespace>, ManagedObject[], Partial<Policy>, string | null]>([
  ['goes', {}, [], {}, null],
  ['of Kubernetes stays', { name: 'kube-system' }, [], {}, 'not belong to the platform'],
  ['of Argo CD stays', { name: 'argocd' }, [], {}, 'not belong to the platform'],
  ['that may not be read stays', { uid: undefined }, [], {}, 'no permission to read it'],
  ['that others use stays', { otherUser: 'web' }, [], {}, '"web" uses it'],
  ['stays if all are to', {}, [], { keepNamespaces: true }, 'namespaces are kept'],
  ['with something that stays, stays', {}, [KEPT], {}, 'ConfigMap data/kept stays in it'],
])('a namespace that Argo CD made %s', (_, part, objects, policy, why) => {
  const found: FoundNamespace = {
    cluster: '',
    name: 'data',
    uid: 'u',
    otherUser: undefined,
    ...part,
  };
  const { namespaces } = inventory(
    { db: [] },
    { db: objects },
    { policy, findings: { namespaces: [found] } },
  );
  const reason = why === null ? null : expect.stringContaining(why);
  expect(namespaces).toEqual([{ name: found.name, uid: found.uid ?? '', why: reason }]);
});

test('a namespace that an Application has goes with it, and not for itself', () => {
  const objects = { db: [object('Namespace', 'data', { namespace: '' })] };
  const namespaces = [{ cluster: '', name: 'data', uid: 'u', otherUser: undefined }];
  expect(inventory({ db: [] }, objects, { findings: { namespaces } }).namespaces).toEqual([]);
});

test('definitions go at last where they are to, unless something keeps them', () => {
  const { definitions, applications } = one([definition], { crds: true });
  expect(definitions).toMatchObject([
    { name: definition.name, uid: definition.uid, defines: KIND },
  ]);
  expect(applications[0]?.keeps).toEqual([]);
  expect(one([definition]).definitions).toEqual([]);
  const kept = one([{ ...definition, keptByHelm: true }], { crds: true });
  expect([kept.definitions, kept.applications[0]?.keeps]).toMatchObject([[], [{}]]);
});

test('the hash is of what was found, not of its order nor of operations in flight', () => {
  const [a, b] = [object('ConfigMap', 'a'), object('ConfigMap', 'b')];
  const { hash } = one([a, b]);
  expect(one([b, a]).hash).toBe(hash);
  const operation = { infos: new Map(), automated: true, username: '' };
  const busy = inventory({ db: [] }, { db: [a, b] }, { views: { db: { operation } } });
  expect([busy.operations, busy.hash]).toEqual([['app:db'], hash]);
  const others = [
    one([a]),
    one([a, b], { volumes: 'delete' }),
    one([a, { ...b, finalizers: ['example.com/x'] }]),
    inventory({ db: [] }, { db: [a, b] }, { views: { db: { uid: 'other' } } }),
  ];
  for (const other of others) expect(other.hash).not.toBe(hash);
});
