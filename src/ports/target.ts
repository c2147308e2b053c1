// What a run needs of the cluster it acts on. `src/targets/` implements it; the node program and the engines know nothing of
// HTTP. Each subject has a file of its own here.
import type { Projects } from './app-projects.ts';
import type { ListApplications } from './application-view.ts';
import type { Watch } from './application-watch.ts';
import type { TaskSets, Workflows } from './argo-workflows.ts';
import type { Applications } from './argocd-applications.ts';
import type { ClusterKinds } from './cluster-kinds.ts';
import type { ClusterObjects, Residue, Snapshots } from './cluster-objects.ts';
import type { Leases } from './lease-store.ts';
import type { Store } from './record-store.ts';
import type { WriteResult } from './write-result.ts';

export interface ApplicationSetView {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly deleting: boolean;
  /** It syncs its Applications step by step, and so would get in the way. */
  readonly rollingSync: boolean;
  /** The Application that has it in its Git, if one has. */
  readonly trackedBy: string | undefined;
}

/** A right in Kubernetes, as its API names things. */
export interface ClusterRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Undefined: in all of them, or it is in none. */
  readonly namespace?: string | undefined;
}

/** The whole of what a run acts on. */
export interface Target {
  /** Argo CD's own. Applications of others have theirs in the name of a right. */
  readonly namespace: string;
  readonly applications: Applications;
  readonly objects: ClusterObjects;
  readonly residue: Residue;
  readonly snapshots: Snapshots;
  readonly projects: Projects;
  readonly leases: Leases;
  readonly store: Store;
  /** Starts a list and watch of the Applications in these namespaces; it ends with the signal. */
  readonly watch: (namespaces: readonly string[], signal: AbortSignal) => Promise<Watch>;
  /**
   * Calls at each change of an AppProject, until the signal is given. False where that right is missing: whoever wants to
   * know must look.
   */
  readonly watchProjects: (changed: () => void, signal: AbortSignal) => Promise<boolean>;
  /** Calls at each change of the record of that run, until the signal is given. False where that right is missing. */
  readonly watchRun: (run: string, changed: () => void, signal: AbortSignal) => Promise<boolean>;
  readonly workflows: Workflows;
  readonly taskSets: TaskSets;
  /** Every Application of these namespaces, from Kubernetes, straight from the cluster, but for malformed ones. */
  readonly list: ListApplications;
  /** Whether the token may do this, as Argo CD says. */
  readonly may: (resource: string, verb: string, object: string) => Promise<boolean>;
  /** Whether the kubeconfig's user may do this in Kubernetes. */
  readonly mayInCluster: (right: ClusterRight) => Promise<boolean>;
  readonly applicationSets: (
    namespaces: readonly string[],
  ) => Promise<readonly ApplicationSetView[]>;
  /** Deletes it and leaves its Applications, which have no owner then; only if it is still the one with that uid. */
  readonly orphanApplicationSet: (
    set: Pick<ApplicationSetView, 'name' | 'namespace' | 'uid'>,
  ) => Promise<WriteResult>;
  /** What Argo CD is told about the health of kinds, and which kinds are not Kubernetes' own. */
  readonly kinds: ClusterKinds;
  /** As Argo CD says it: v3.2.11, with anything behind. */
  readonly argocdVersion: () => Promise<string>;
}
