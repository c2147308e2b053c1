// What was read about a platform, in any of the ways. Everything after it is a pure function of this.

/** An object of Kubernetes as it was read. Data of Secrets is removed where it is read. */
export type KubernetesObject = Readonly<Record<string, unknown>> & {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** One line of what an Application manages, as Argo CD lists it. */
export interface ListedResource {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly wave?: number;
}

export interface ApplicationSource {
  readonly repoURL: string;
  readonly path?: string;
  readonly chart?: string;
  readonly targetRevision?: string;
}

/** A Helm chart that an Application installs, directly or as a dependency of another chart. */
export interface ChartUse {
  readonly name: string;
  readonly repository?: string;
  readonly version?: string;
}

export interface ApplicationMaterial {
  readonly name: string;
  /** The Application that creates this one; absent for a root. */
  readonly parent?: string;
  readonly applicationSet?: string;
  readonly project: string;
  /** Where it deploys to: the cluster as Argo CD names it, and the namespace. */
  readonly destination: { readonly cluster: string; readonly namespace: string };
  readonly isRemote: boolean;
  readonly createsNamespace: boolean;
  readonly automated: boolean;
  readonly wave?: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly sources: readonly ApplicationSource[];
  readonly charts: readonly ChartUse[];
  /** Helm values, where only these are known (Git); nested as in the file. */
  readonly values: readonly unknown[];
  readonly resources: readonly ListedResource[];
  /** Manifests, hooks included. */
  readonly objects: readonly KubernetesObject[];
  /** Seconds from the start of an operation to health, of past syncs. */
  readonly pastDurations: readonly number[];
  /** What is known of its content: manifests, a list of resources only, or nothing. */
  readonly content: 'manifests' | 'listed' | 'unknown';
}

/** A CustomResourceDefinition of the cluster that no Application lists, with what made it. */
export interface DefinedKind {
  readonly group: string;
  readonly kind: string;
  /** Owner or package (Crossplane Provider, OLM Subscription) as GROUP/KIND/NAME, where known. */
  readonly madeBy?: string;
}

export interface ReadProblem {
  readonly subject: string;
  readonly message: string;
}

export interface Material {
  readonly applications: readonly ApplicationMaterial[];
  readonly definedKinds: readonly DefinedKind[];
  /** Whether argocd-cm has the health check of Applications, so that waves between them wait for health. */
  readonly wavesWaitForHealth?: boolean;
  /** Kinds with their own health check in argocd-cm, as GROUP/KIND. */
  readonly customHealth: readonly string[];
  readonly argocdNamespace: string;
  /** What could not be read or expanded. */
  readonly problems: readonly ReadProblem[];
}
