import { expect, test } from 'vitest';
import { application, managedObject as object } from '../../test/fakes/application.ts';
import { planOf } from '../../test/fakes/run-world.ts';
import type { ManagedObject } from '../ports/application-view.ts';
import { type Found, placeWithout } from './fate.ts';
import { leftForPrimitives, leftOf, neededObjects } from './primitives.ts';

const found = (name: string, ...objects: ManagedObject[]): Found => ({
  ...{ id: `app:${name}`, instance: name, objects, problem: undefined, deleteOption: undefined },
  ...{ view: application({ name, uid: `uid-${name}` }), place: placeWithout(undefined) },
});

const NEEDED = { argocdNamespace: 'argocd', projects: new Set(['shop']) };
const place = { namespace: 'argocd' };
const apps = { ...place, group: 'apps' };
const project = { ...place, group: 'argoproj.io' };
const definition = {
  ...{ group: 'apiextensions.k8s.io', namespace: '' },
  defines: { group: 'argoproj.io', kind: 'Application' },
};

const isNeeded = (one: ManagedObject, crds = false) =>
  neededObjects(found('a', one), { crds }, NEEDED).length > 0;

test.each<[string, string, Partial<ManagedObject>]>([
  ['ConfigMap', 'argocd-cm', place],
  ['ConfigMap', 'argocd-rbac-cm', place],
  ['ArgoCD', 'openshift-gitops', project],
  ['Secret', 'argocd-secret', place],
  ['Secret', 'tiphys-argocd-token', place],
  ['Service', 'argocd-server', place],
  ['Service', 'my-argocd-server', place],
  ['Deployment', 'argocd-server', apps],
  ['Deployment', 'my-argocd-repo-server', apps],
  ['Deployment', 'argocd-application-controller', apps],
  ['StatefulSet', 'argocd-application-controller', apps],
  ['Namespace', 'argocd', { namespace: '' }],
  ['AppProject', 'shop', project],
])('%s %s is needed', (kind, name, part) => {
  expect(isNeeded(object(kind, name, part))).toBe(true);
});

test.each<[string, string, Partial<ManagedObject>]>([
  ['ConfigMap', 'argocd-cm', { namespace: 'other' }],
  ['ConfigMap', 'argocd-cmd-params-cm', place],
  ['ArgoCD', 'other', { ...project, namespace: 'other' }],
  ['ArgoCD', 'other', place],
  ['Secret', 'argocd-secrets', place],
  ['Service', 'argocd-server-metrics', place],
  ['Deployment', 'argocd-server', place],
  ['Deployment', 'argocd-server', { ...apps, namespace: 'other' }],
  ['StatefulSet', 'argocd-server', apps],
  ['Namespace', 'argocd-apps', { namespace: '' }],
  ['AppProject', 'other', project],
  ['AppProject', 'shop', { ...project, namespace: 'other' }],
  ['AppProject', 'shop', place],
])('%s %s with %o is not', (kind, name, part) => {
  expect(isNeeded(object(kind, name, part))).toBe(false);
});

test('what stays by itself needs nobody to stay', () => {
  const cm = object('ConfigMap', 'argocd-cm', place);
  expect(isNeeded({ ...cm, syncOptions: ['Delete=false'] })).toBe(false);
  expect(isNeeded({ ...cm, keptByHelm: true })).toBe(false);
  expect(isNeeded({ ...cm, tracker: 'another' })).toBe(false);
});

test('Argo CD’s own definitions count where definitions go', () => {
  const named = (name: string) => object('CustomResourceDefinition', name, definition);
  expect(isNeeded(named('applications.argoproj.io'), true)).toBe(true);
  expect(isNeeded(named('applications.argoproj.io'))).toBe(false);
  expect(isNeeded(named('rollouts.argoproj.io'), true)).toBe(false);
});

test('what goes after it stays, too, over any number of steps; what goes before does not', () => {
  // In the plan of a teardown a node waits for what depends on it.
  const plan = planOf('site:', 'argocd: site', 'root: argocd', 'all: root', 'other: site');
  const names = ['site', 'argocd', 'root', 'all', 'other'];
  const cm = object('ConfigMap', 'argocd-cm', place);
  const left = leftOf(
    plan,
    names.map((name) => found(name)),
    new Map([['app:argocd', cm]]),
  );
  expect(left.map(({ name, why }) => [name, why])).toEqual([
    ['argocd', 'it has Argo CD itself (ConfigMap argocd/argocd-cm)'],
    ['root', 'it can only be deleted after "argocd", which stays'],
    ['all', 'it can only be deleted after "argocd", which stays'],
  ]);
  expect(left[0]).toMatchObject({ id: 'app:argocd', uid: 'uid-argocd', namespace: 'argocd' });
});

test('the warning says how to let go of it, and how an AppProject lets it go', () => {
  const one = {
    id: 'app:a',
    name: 'a',
    namespace: 'argocd',
    uid: 'u',
    why: 'it has the AppProject "p"',
  };
  expect(leftForPrimitives(one)).toMatchObject({
    ...{
      code: 'left-for-primitives',
      node: 'app:a',
      message: '"a" stays: it has the AppProject "p".',
    },
    hint: expect.stringMatching(/argocd app delete a --cascade=false\. .*Delete=false/),
  });
  expect(leftForPrimitives({ ...one, why: 'it has Argo CD itself' }).hint).not.toContain('Delete=');
});
