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
  /** As Kubernetes knows whoever asks; null: it did not say. */
  readonly user: string | null;
}
