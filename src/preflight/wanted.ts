// The input of preflight: the platform, its sources, and what bootstrap will install.

export interface Wanted {
  readonly argocdNamespace: string;
  /** The root path of argocd-server; undefined: none. */
  readonly argocdRootPath?: string | undefined;
  readonly workflowsNamespace: string;
  /** Names of the platform's applications and stacks. */
  readonly names: readonly string[];
  /** The repository of the root Application; undefined if no environment file sets it. */
  readonly gitRepository: string | undefined;
  /** The file with the tested versions of Ansible and its packages. */
  readonly requirements: string;
  /** A folder with the charts; undefined: they are downloaded. */
  readonly charts: string | undefined;
  /** Registries that images are pulled from. */
  readonly images: readonly string[];
  /** A pod may be created for checks from inside the cluster. */
  readonly fromCluster: boolean;
}

/** Of the charts that bootstrap installs. */
export const CHART_SOURCES = [
  'https://argoproj.github.io/argo-helm',
  'https://bitnami-labs.github.io/sealed-secrets',
];

/** Of the images in these charts. */
export const IMAGE_SOURCES = ['quay.io', 'ghcr.io', 'registry-1.docker.io'];

/** The label of namespaces that bootstrap creates, so that it recognizes them. */
export const MADE_BY_BOOTSTRAP = ['app.kubernetes.io/managed-by', 'tiphys-bootstrap'] as const;

export interface Primitive {
  /** The value of app.kubernetes.io/part-of of its Deployments, in any namespace. */
  readonly name: string;
  readonly title: string;
  readonly namespace: string;
}

export const primitivesOf = (wanted: Wanted): readonly Primitive[] => [
  { name: 'argocd', title: 'Argo CD', namespace: wanted.argocdNamespace },
  { name: 'argo-workflows', title: 'Argo Workflows', namespace: wanted.workflowsNamespace },
  { name: 'argo-events', title: 'Argo Events', namespace: 'argo-events' },
  { name: 'sealed-secrets', title: 'sealed-secrets', namespace: 'sealed-secrets' },
];
