// Applications on other clusters beside those on Argo CD's own: names say nothing across clusters.
import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { planOf } from '../../test/fakes/run-world.ts';
import type { ManagedObject } from '../ports/application-view.ts';
import { buildInventory } from './build-inventory.ts';
import { type Found, type FoundPlace, placeWithout } from './fate.ts';
import { CAUTIOUS } from './inventory.ts';

interface Has {
  readonly objects: readonly ManagedObject[];
  readonly remoteCluster?: string;
  readonly place?: Partial<FoundPlace>;
}

/** Of two Applications; `db` waits for nobody. */
function inventory(has: Readonly<Record<'operator' | 'db', Has>>) {
  const finalizers = ['resources-finalizer.argocd.argoproj.io'];
  const found = Object.entries(has).map(
    ([name, { objects, remoteCluster, place }]): Found => ({
      ...{
        id: `app:${name}`,
        instance: name,
        objects,
        problem: undefined,
        deleteOption: undefined,
      },
      view: application({ name, uid: `uid-${name}`, finalizers, remoteCluster }),
      place: { ...placeWithout(remoteCluster), ...place },
    }),
  );
  return buildInventory({
    ...{ plan: planOf('operator:', 'db:'), policy: { ...CAUTIOUS, crds: true }, found },
    ...{
      gone: [],
      makers: [],
      dependents: [],
      outside: [],
      unexpected: [],
      namespaces: [],
      outsiders: [],
    },
    ...{
      argocdNamespace: 'argocd',
      withoutSnapshots: [],
      left: [],
      clusters: [],
      untracked: undefined,
      unreadable: [],
    },
  });
}

const KIND = { group: 'example.com', kind: 'Database' };
const OPERATOR = [
  object('CustomResourceDefinition', 'databases.example.com', {
    ...{ group: 'apiextensions.k8s.io', namespace: '', defines: KIND },
  }),
  object('Deployment', 'operator', { group: 'apps' }),
];
const DATABASE = object('Database', 'main', { ...KIND, finalizers: ['example.com/cleanup'] });
const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

test('an operator in another cluster serves no finalizer of this one', () => {
  const here = inventory({ operator: { objects: OPERATOR }, db: { objects: [DATABASE] } });
  expect(codes(here.warnings)).toEqual(['finalizer-deadlock']);
  const operator = { objects: OPERATOR, remoteCluster: 'prod' };
  const { warnings, applications } = inventory({ operator, db: { objects: [DATABASE] } });
  expect(codes(warnings)).toEqual(['destination-remote']);
  expect(applications[1]?.finalizers).toMatchObject([{ servedBy: [] }]);
});

test('definitions in another cluster stay, whatever is said of them', () => {
  const operator = { objects: OPERATOR, remoteCluster: 'prod' };
  const { definitions, applications } = inventory({ operator, db: { objects: [] } });
  expect(definitions).toEqual([]);
  expect(applications[0]?.keeps).toMatchObject([{ name: 'databases.example.com' }]);
});

test('an Application in another cluster is one of the plan only by its uid', () => {
  const child = (uid: string) =>
    object('Application', 'db', { group: 'argoproj.io', namespace: 'argocd', uid });
  const of = (uid: string) =>
    inventory({
      operator: { objects: [child(uid)], remoteCluster: 'hub' },
      db: { objects: [] },
    });
  expect(of('uid-db').applications[0]?.deletes).toEqual([]);
  const { applications, refusals } = of('other');
  expect(applications[0]?.deletes).toMatchObject([{ kind: 'Application', name: 'db' }]);
  // It may be Argo CD's own cluster under another name, and the Application one that nobody planned.
  expect(refusals).toMatchObject([{ code: 'application-unexpected' }]);
});

test('the hash says where objects are', () => {
  const objects = [object('ConfigMap', 'a')];
  const db = { objects: [] };
  const hashes = [undefined, 'prod', 'other'].map(
    (remoteCluster) =>
      inventory({ operator: remoteCluster ? { objects, remoteCluster } : { objects }, db }).hash,
  );
  expect(new Set(hashes).size).toBe(3);
});

test('a cluster that is looked at is cleaned up, and the inventory says so', () => {
  const place = { cluster: 'prod', isSeen: true };
  const operator = { objects: OPERATOR, remoteCluster: 'prod', place };
  const claim = object('PersistentVolumeClaim', 'data');
  const seen = inventory({ operator, db: { objects: [claim], remoteCluster: 'prod', place } });
  expect(codes(seen.warnings)).toEqual([]);
  expect(seen.applications.map(({ destination, cluster }) => [destination, cluster])).toEqual([
    ['prod', 'prod'],
    ['prod', 'prod'],
  ]);
  expect(seen.definitions).toMatchObject([{ cluster: 'prod', name: 'databases.example.com' }]);
  expect(seen.applications[0]?.keeps).toEqual([]);
});

test('an operator of the same cluster under another name serves its finalizers', () => {
  const operator = { objects: OPERATOR, remoteCluster: 'https://prod', place: { cluster: 'prod' } };
  const db = { objects: [DATABASE], remoteCluster: 'prod' };
  const { applications } = inventory({ operator, db });
  expect(applications[1]?.finalizers).toMatchObject([{ servedBy: ['operator'] }]);
});

test('a context of another cluster is refused', () => {
  const place = { wrong: 'The context "c" does not reach prod.' };
  const operator = { objects: [], remoteCluster: 'prod', place };
  const { refusals } = inventory({ operator, db: { objects: [] } });
  expect(refusals).toMatchObject([{ code: 'destination-wrong', message: place.wrong }]);
});

const VAULT = object('Namespace', 'vault', { namespace: '' });
const KEPT_CLAIM = object('PersistentVolumeClaim', 'data', {
  ...{ namespace: 'vault', syncOptions: ['Delete=false'] },
});

test.each<[string, Partial<Has>, Partial<Has>]>([
  ['two destinations that nobody looks at', { remoteCluster: 'a' }, { remoteCluster: 'b' }],
  ['Argo CD’s own cluster and one that nobody looks at', {}, { remoteCluster: 'b' }],
  ['one that nobody looks at and Argo CD’s own cluster', { remoteCluster: 'a' }, {}],
])('a claim is not taken for kept where a Namespace of that name goes: %s', (_, one, other) => {
  const operator = { ...one, objects: [VAULT] };
  const { refusals } = inventory({ operator, db: { ...other, objects: [KEPT_CLAIM] } });
  expect(refusals).toMatchObject([{ code: 'volume-deleted', node: 'app:db' }]);
  expect(refusals[0]?.message).toContain(
    'its Namespace may be the one that is deleted with "operator"',
  );
  expect(refusals[0]?.hint).toContain('Set contexts');
});

test('a destination that is known not to be Argo CD’s own cluster takes nothing along there', () => {
  const away = { remoteCluster: 'a', place: { isOther: true } };
  const there = { operator: { ...away, objects: [VAULT] }, db: { objects: [KEPT_CLAIM] } };
  expect(inventory(there).refusals).toEqual([]);
  const here = { operator: { objects: [VAULT] }, db: { ...away, objects: [KEPT_CLAIM] } };
  expect(inventory(here).refusals).toEqual([]);
});

test('clusters that are looked at are known to be two', () => {
  const operator = { objects: [VAULT], remoteCluster: 'a', place: { isSeen: true } };
  const db = { objects: [KEPT_CLAIM], remoteCluster: 'b', place: { isSeen: true } };
  expect(inventory({ operator, db }).refusals).toEqual([]);
  const other = object('Namespace', 'other', { namespace: '' });
  const unseen = { objects: [other], remoteCluster: 'a' };
  expect(inventory({ operator: unseen, db }).refusals).toEqual([]);
});
