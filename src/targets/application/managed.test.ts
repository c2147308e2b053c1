import { expect, test } from 'vitest';
import { managedObjects } from './managed.ts';

const OBJECT = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'c' };
const SET = { group: 'apps', kind: 'StatefulSet', namespace: 'n', name: 's' };
const SERVICE = { group: '', kind: 'Service', namespace: 'n', name: 'web' };
const DEFINITION = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', name: 'd' };

const one = (item: object, live: object) => {
  const [found] = managedObjects({ items: [{ ...item, liveState: JSON.stringify(live) }] });
  return found;
};
const annotated = (annotations: Readonly<Record<string, string>>) =>
  one(OBJECT, { metadata: { annotations } });

test('what is not there is left out', () => {
  expect(managedObjects({})).toEqual([]);
  expect(managedObjects({ items: [OBJECT, { ...OBJECT, liveState: 'null' }] })).toEqual([]);
});

test('a plain object', () => {
  expect(one(OBJECT, { metadata: {} })).toEqual({
    ...OBJECT,
    ...{
      uid: '',
      finalizers: [],
      deleting: false,
      tracker: undefined,
      owner: undefined,
      syncOptions: [],
    },
    ...{
      keptByHelm: false,
      wave: 0,
      isLoadBalancer: false,
      registersCluster: false,
      claimTemplates: [],
    },
    ...{ deletesClaims: false, defines: undefined },
  });
});

test('metadata says who tracks and owns it, and what it waits for', () => {
  const metadata = {
    annotations: { 'argocd.argoproj.io/tracking-id': 'team_shop:/ConfigMap:n/c' },
    ownerReferences: [{ kind: 'Database', name: 'main' }],
    ...{ finalizers: ['example.com/x'], deletionTimestamp: '2026-01-01T00:00:00Z' },
  };
  expect(one(OBJECT, { metadata })).toMatchObject({
    ...{ tracker: 'team_shop', owner: 'Database main' },
    ...{ finalizers: ['example.com/x'], deleting: true },
  });
});

test('annotations say whether it stays, and when it goes', () => {
  const options = annotated({ 'argocd.argoproj.io/sync-options': ' Prune=false, Delete=false' });
  expect(options?.syncOptions).toEqual(['Prune=false', 'Delete=false']);
  expect(annotated({ 'helm.sh/resource-policy': 'keep' })?.keptByHelm).toBe(true);
  expect(annotated({ 'helm.sh/resource-policy': 'delete' })?.keptByHelm).toBe(false);
  const wave = (text: string) => annotated({ 'argocd.argoproj.io/sync-wave': text })?.wave;
  expect([wave('-3'), wave('2'), wave('late')]).toEqual([-3, 2, 0]);
});

test('a StatefulSet has templates of claims, and may delete them', () => {
  const spec = { volumeClaimTemplates: [{ metadata: { name: 'disk' } }] };
  const policy = (whenDeleted: string) => ({
    metadata: {},
    spec: { ...spec, persistentVolumeClaimRetentionPolicy: { whenDeleted } },
  });
  const kept = { claimTemplates: ['disk'], deletesClaims: false };
  expect(one(SET, { metadata: {}, spec })).toMatchObject(kept);
  expect(one(SET, policy('Retain'))).toMatchObject(kept);
  expect(one(SET, policy('Delete'))).toMatchObject({ deletesClaims: true });
  expect(one(OBJECT, policy('Delete'))).toMatchObject({ claimTemplates: [], deletesClaims: false });
});

test('a definition says which kind it defines, a Service whether it is outside too', () => {
  const spec = { group: 'example.com', names: { kind: 'Database' }, type: 'LoadBalancer' };
  const defines = { group: 'example.com', kind: 'Database' };
  expect(one(DEFINITION, { metadata: {}, spec })?.defines).toEqual(defines);
  expect(one(OBJECT, { metadata: {}, spec })?.defines).toBeUndefined();
  expect(one(SERVICE, { metadata: {}, spec })?.isLoadBalancer).toBe(true);
  expect(one(OBJECT, { metadata: {}, spec })?.isLoadBalancer).toBe(false);
});

test('a spec of another form says nothing, and metadata of another form is an error', () => {
  const odd = { type: 1, names: 'x', volumeClaimTemplates: {}, group: [] };
  for (const spec of ['text', odd]) {
    expect(one(SET, { metadata: {}, spec })).toMatchObject({ claimTemplates: [] });
  }
  expect(() => one(OBJECT, { metadata: { finalizers: 'x' } })).toThrow();
});

test.each([
  ['Secret', 'cluster', true],
  ['Secret', 'repository', false],
  ['ConfigMap', 'cluster', false],
])('%s of type %s registers a cluster: %s', (kind, type, registersCluster) => {
  const labels = { 'argocd.argoproj.io/secret-type': type };
  expect(one({ ...OBJECT, kind }, { metadata: { labels } })).toMatchObject({ registersCluster });
});
