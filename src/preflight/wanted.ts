// What phase 0 is asked about: the platform, where it comes from, and what bootstrap will install.

export interface Wanted {
  readonly argocdNamespace: string;
  /** Below which argocd-server answers; undefined: below none. */
  readonly argocdRootPath?: string | undefined;
  readonly workflowsNamespace: string;
  /** Names of the platform's applications and stacks. */
  readonly names: readonly string[];
  /** Where the root Application points; undefined where no environment file says it. */
  readonly gitRepository: string | undefined;
  /** The file with the versions of Ansible and its packages that bootstrap was tried with. */
  readonly requirements: string;
  /** A folder with the charts; undefined: they are fetched. */
  readonly charts: string | undefined;
  /** Registries that images are pulled from. */
  readonly images: readonly string[];
  /** A pod may be made that asks from there. */
  readonly fromCluster: boolean;
}

/** Of the charts that bootstrap installs. */
export const CHART_SOURCES = [
  'https://argoproj.github.io/argo-helm',
  'https://bitnami-labs.github.io/sealed-secrets',
];

/** Of the images in these charts. */
export const IMAGE_SOURCES = ['quay.io', 'ghcr.io', 'registry-1.docker.io'];

/** Namespaces that bootstrap makes carry it, so that they are known for its own. */
export const MADE_BY_BOOTSTRAP = ['app.kubernetes.io/managed-by', 'tiphys-bootstrap'] as const;

export interface Primitive {
  /** Its Deployments carry app.kubernetes.io/part-of with this, wherever they are. */
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
