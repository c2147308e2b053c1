// Where a command acts: which cluster, by which context, for which environment, as whom.

export interface Where {
  /** Of the kubeconfig; null: the ServiceAccount of a pod. */
  readonly context: string | null;
  /** Address of the Kubernetes API. */
  readonly server: string;
  /** `clusterName` of the environment file. */
  readonly clusterName: string | null;
  /** The name that the first deployment recorded in the cluster; null: none, or no permission to read it. */
  readonly recordedName: string | null;
  /** `name` of the environment file. */
  readonly environment: string | null;
  /** The user as Kubernetes knows it; null: it did not say. */
  readonly user: string | null;
  /** Options that got their values from a variable or the config file; none: there are none. */
  readonly defaults?: readonly DefaultInUse[];
}

/** A variable, or the path of the config file. */
export type DefaultSource = { readonly variable: string } | { readonly file: string };

export interface DefaultInUse {
  /** --context */
  readonly option: string;
  readonly value: string;
  readonly source: DefaultSource;
}
