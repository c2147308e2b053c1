// Where the Kubernetes API has its kinds.

/** Plural, and whether it lies in a namespace. */
const KINDS: Readonly<Record<string, readonly [string, boolean]>> = {
  Application: ['applications', true],
  ApplicationSet: ['applicationsets', true],
  AppProject: ['appprojects', true],
  ConfigMap: ['configmaps', true],
  CronJob: ['cronjobs', true],
  CustomResourceDefinition: ['customresourcedefinitions', false],
  Deployment: ['deployments', true],
  Job: ['jobs', true],
  Lease: ['leases', true],
  Namespace: ['namespaces', false],
  PersistentVolume: ['persistentvolumes', false],
  PersistentVolumeClaim: ['persistentvolumeclaims', true],
  Secret: ['secrets', true],
  Service: ['services', true],
};

export const isNamespaced = (kind: string) => KINDS[kind]?.[1] ?? true;

export interface Place {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
}

/** Of the whole kind, or of one object. */
export function pathOf({ apiVersion, kind, namespace }: Place, name?: string): string {
  const known = KINDS[kind];
  if (!known) throw new Error(`no path is known for the kind ${kind}`);
  const [plural, namespaced] = known;
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const inside = namespaced && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `${root}${inside}/${plural}${name === undefined ? '' : `/${name}`}`;
}
