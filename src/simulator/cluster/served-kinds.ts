// The kinds that the simulated API server knows. A custom kind is known from the first write of one.

export interface Kind {
  /** GROUP/KIND. */
  readonly id: string;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** PLURAL.GROUP, as messages name it. */
  readonly resource: string;
  readonly namespaced: boolean;
  /** Its status is a subresource: only a change of the rest makes a new generation. */
  readonly hasStatus: boolean;
}

const ARGO = 'argoproj.io/v1alpha1';

type Row = readonly [apiVersion: string, kind: string, scope?: 'cluster'];

const ROWS: readonly Row[] = [
  ['v1', 'Namespace', 'cluster'],
  ['v1', 'ConfigMap'],
  ['v1', 'Secret'],
  ['v1', 'Service'],
  ['v1', 'ServiceAccount'],
  ['v1', 'PersistentVolumeClaim'],
  ['v1', 'PersistentVolume', 'cluster'],
  ['v1', 'Pod'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['discovery.k8s.io/v1', 'EndpointSlice'],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'cluster'],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', 'cluster'],
  ['storage.k8s.io/v1', 'StorageClass', 'cluster'],
  ['coordination.k8s.io/v1', 'Lease'],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'cluster'],
  [ARGO, 'Application'],
  [ARGO, 'AppProject'],
  [ARGO, 'ApplicationSet'],
];

/** Argo CD's Applications and AppProjects have no status subresource. */
const WITHOUT_STATUS = new Set([
  'Application',
  'AppProject',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'Lease',
]);
/** Those that are not made by an s alone. */
const PLURALS: Readonly<Record<string, string>> = {
  Ingress: 'ingresses',
  StorageClass: 'storageclasses',
};

function describe(apiVersion: string, kind: string, namespaced: boolean): Kind {
  const [group, version] = splitVersion(apiVersion);
  const id = `${group}/${kind}`;
  const plural = PLURALS[kind] ?? `${kind.toLowerCase()}s`;
  const resource = group === '' ? plural : `${plural}.${group}`;
  const hasStatus = !WITHOUT_STATUS.has(kind);
  return { id, apiVersion, group, version, kind, plural, resource, namespaced, hasStatus };
}

const builtIn: ReadonlyMap<string, Kind> = new Map(
  ROWS.map(([apiVersion, kind, scope]) => {
    const known = describe(apiVersion, kind, scope !== 'cluster');
    return [known.id, known];
  }),
);

/** Known without a definition. */
export function isBuiltIn(apiVersion: string, kind: string): boolean {
  return builtIn.has(`${splitVersion(apiVersion)[0]}/${kind}`);
}

/** Version -> kind: asked for many times at each change. */
const byVersion: ReadonlyMap<string, ReadonlyMap<string, Kind>> = new Map(
  [...new Set(ROWS.map(([apiVersion]) => apiVersion))].map((apiVersion) => {
    const own = [...builtIn.values()].filter((kind) => kind.apiVersion === apiVersion);
    return [apiVersion, new Map(own.map((kind) => [kind.kind, kind]))];
  }),
);

export function kindOf(apiVersion: string, kind: string): Kind {
  const known = byVersion.get(apiVersion)?.get(kind);
  if (known) return known;
  const [group] = splitVersion(apiVersion);
  return builtIn.get(`${group}/${kind}`) ?? describe(apiVersion, kind, true);
}

/** What one cluster serves. */
export class ServedKinds {
  readonly #byId = new Map(builtIn);
  readonly #byPath = new Map([...builtIn.values()].map((kind) => [pathOf(kind), kind]));

  add(kind: Kind): void {
    if (this.#byId.has(kind.id)) return;
    this.#byId.set(kind.id, kind);
    this.#byPath.set(pathOf(kind), kind);
  }

  all(): readonly Kind[] {
    return [...this.#byId.values()];
  }

  /** As a path names it. */
  at(group: string, version: string, plural: string): Kind | undefined {
    const found = this.#byPath.get(`${group}/${plural}`);
    return found?.version === version ? found : undefined;
  }
}

const pathOf = ({ group, plural }: Kind): string => `${group}/${plural}`;

export function keyOf({ namespaced }: Kind, namespace: string | undefined, name: string): string {
  return namespaced ? `${namespace ?? ''}/${name}` : `/${name}`;
}

function splitVersion(apiVersion: string): readonly [group: string, version: string] {
  const at = apiVersion.indexOf('/');
  return at === -1 ? ['', apiVersion] : [apiVersion.slice(0, at), apiVersion.slice(at + 1)];
}
