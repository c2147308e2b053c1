// Paths of the Kubernetes API. Names are escaped here and nowhere else.

/** Half of a pair of code units has no escape: no object has a name with one, so it is not found. */
export const escaped = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));

export type Query = Readonly<Record<string, string | undefined>>;

export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return path;
  const parts = given.map(([key, value]) => `${key}=${escaped(value ?? '')}`);
  return `${path}${path.includes('?') ? '&' : '?'}${parts.join('&')}`;
}

/** A selector for the one object of that name, with the signs escaped that mean something in it. */
export const onlyNamed = (name: string): Query => ({
  fieldSelector: `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`,
});

function named(group: string, namespace: string, kind: string, name?: string): string {
  const place = `${group}/namespaces/${escaped(namespace)}/${kind}`;
  return name === undefined ? place : `${place}/${escaped(name)}`;
}

const CORE = '/api/v1';
const APPS = '/apis/apps/v1';
const ARGO = '/apis/argoproj.io/v1alpha1';
const BATCH = '/apis/batch/v1';
const COORDINATION = '/apis/coordination.k8s.io/v1';

export const paths = {
  applications: (namespace: string) => named(ARGO, namespace, 'applications'),
  appProjects: (namespace: string, name?: string) => named(ARGO, namespace, 'appprojects', name),
  applicationSets: (namespace: string) => named(ARGO, namespace, 'applicationsets'),
  configMaps: (namespace: string, name?: string) => named(CORE, namespace, 'configmaps', name),
  customResourceDefinitions: () => '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  deployments: (namespace: string) => named(APPS, namespace, 'deployments'),
  statefulSets: (namespace: string) => named(APPS, namespace, 'statefulsets'),
  jobs: (namespace: string, name?: string) => named(BATCH, namespace, 'jobs', name),
  leases: (namespace: string, name?: string) => named(COORDINATION, namespace, 'leases', name),
  namespace: (name: string) => `${CORE}/namespaces/${escaped(name)}`,
  pods: (namespace: string, name?: string) => named(CORE, namespace, 'pods', name),
  secret: (namespace: string, name: string) => named(CORE, namespace, 'secrets', name),
  workflows: (namespace: string, name?: string) => named(ARGO, namespace, 'workflows', name),
  taskSets: (namespace: string, name?: string) => named(ARGO, namespace, 'workflowtasksets', name),
  services: (namespace: string) => named(CORE, namespace, 'services'),
  serviceProxy: (namespace: string, service: string) =>
    `${named(CORE, namespace, 'services')}/${service}/proxy`,
} as const;
