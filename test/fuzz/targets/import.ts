// What an import reads of a cluster.
import { readFromCluster } from '../../../src/engines/import/read-from-cluster.ts';
import type { FuzzTarget } from '../fuzz.ts';
import { answered, inList, type Look } from './cluster.ts';
import { toldOfImport } from './import-views.ts';
import { APPLICATIONS, MANAGED } from './samples.ts';

const { signal } = new AbortController();
const material: Look = async (target) => toldOfImport(await readFromCluster(target, { signal }));
const manifests: Look = async ({ imports }) => {
  const address = { name: 'api', namespace: 'argocd', project: 'default' };
  return { values: [await imports.manifests(address)] };
};

const IMPORTED = APPLICATIONS.map((one) => ({
  ...(one as object),
  status: {
    history: [{ deployStartedAt: '2026-01-01T00:00:00Z', deployedAt: '2026-01-01T00:01:00Z' }],
    health: { status: 'Healthy', lastTransitionTime: '2026-01-01T00:01:00Z' },
    resources: [{ group: 'argoproj.io', kind: 'Application', name: 'api', syncWave: 1 }],
  },
}));
const RENDERED = {
  manifests: [
    JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'b' } }),
    JSON.stringify({ kind: 'CustomResourceDefinition', spec: { versions: [{ schema: {} }] } }),
  ],
};
const DEFINITION = {
  metadata: {
    ...{ name: 'things.example.com', labels: { 'operators.coreos.com/a.b': '' } },
    ownerReferences: [{ apiVersion: 'pkg.crossplane.io/v1', kind: 'ProviderRevision', name: 'a' }],
  },
  spec: { group: 'example.com', names: { kind: 'Thing' } },
};
const SETTINGS = {
  data: { 'resource.customizations.health.a_B': 'x', 'resource.customizations': 'a/*: {}' },
};

export const IMPORT: readonly FuzzTarget[] = [
  answered(
    'an imported Application',
    6,
    inList(IMPORTED),
    /\/namespaces\/argocd\/applications\?/,
    material,
  ),
  answered('managed resources of an import', 5, MANAGED, /\/managed-resources\?/, material),
  answered('rendered manifests', 3, [RENDERED], /\/manifests\?/, manifests),
  answered(
    'CustomResourceDefinitions',
    3,
    inList([DEFINITION]),
    /\/customresourcedefinitions\?/,
    material,
  ),
  answered('settings of Argo CD', 2, [SETTINGS], /\/configmaps\/argocd-cm/, material),
];
