// What a run needs of the cluster it acts on. `src/targets/` implements it; the node program and the engines know nothing of
// HTTP. Each subject has its own file here.
import type { ProjectReads, Projects } from './app-projects.ts';
import type { Watch } from './application-watch.ts';
import type { WorkflowReads, Workflows } from './argo-workflows.ts';
import type { TokenHolder } from './argocd-accounts.ts';
import type { ApplicationReads, Applications } from './argocd-applications.ts';
import type { TokenLife, TokenRenewal } from './argocd-token.ts';
import type { ClusterKinds } from './cluster-kinds.ts';
import type {
  ClusterObjects,
  ObjectReads,
  Residue,
  SnapshotReads,
  Snapshots,
} from './cluster-objects.ts';
import type { ImportReads } from './import-reads.ts';
import type { LeaseReads, Leases } from './lease-store.ts';
import type { ProbeJobReads, ProbeJobs } from './probe-jobs.ts';
import type { Store, StoreReads } from './record-store.ts';
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
  /** It has made everything, as it says: a new one does not say so before, one that was changed may say it too early. */
  readonly upToDate: boolean;
}

/** A right in Kubernetes, as its API names things. */
export interface ClusterRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Undefined: in all of them, or it is in none. */
  readonly namespace?: string | undefined;
  /** Undefined: on all of them. */
  readonly name?: string;
}

/** All of them end with the signal. */
export interface Watches {
  /** A list and watch of the Applications in these namespaces. */
  readonly applications: (namespaces: readonly string[], signal: AbortSignal) => Promise<Watch>;
  /** Calls at each change of an AppProject. False where that right is missing: the reader must look. */
  readonly projects: (changed: () => void, signal: AbortSignal) => Promise<boolean>;
  /** Calls at each change of the record of that run. False where that right is missing. */
  readonly run: (run: string, changed: () => void, signal: AbortSignal) => Promise<boolean>;
}

interface Rights {
  /** Whether the token may do this, as Argo CD says. */
  readonly inArgocd: (resource: string, verb: string, object: string) => Promise<boolean>;
  readonly tokenHolder: () => Promise<TokenHolder>;
  /** Whether the kubeconfig's user may do this in Kubernetes. */
  readonly inCluster: (right: ClusterRight) => Promise<boolean>;
}

interface ApplicationSetReads {
  readonly list: (namespaces: readonly string[]) => Promise<readonly ApplicationSetView[]>;
}

interface ApplicationSets extends ApplicationSetReads {
  /** Deletes it and leaves its Applications, which have no owner then; only if it is still the one with that uid. */
  readonly orphan: (
    set: Pick<ApplicationSetView, 'name' | 'namespace' | 'uid'>,
  ) => Promise<WriteResult>;
}

/** How the cluster is reached, for people. */
export interface ClusterAddress {
  /** Of the kubeconfig; null: the ServiceAccount of a pod. */
  readonly context: string | null;
  /** Of the Kubernetes API, without credentials. */
  readonly server: string;
}

/** What is looked at of a cluster that has objects of Applications. */
export interface Place {
  readonly objects: ObjectReads;
  readonly residue: Residue;
  readonly snapshots: SnapshotReads;
  readonly rights: Pick<Rights, 'inCluster'>;
  /** The uid of its Namespace kube-system: no two clusters have the same. Undefined: it may not be read. */
  readonly identity: () => Promise<string | undefined>;
}

/** With what can change it. */
interface WritablePlace extends Place {
  readonly objects: ClusterObjects;
  readonly snapshots: Snapshots;
}

/** What a run reads of its target. It changes the target through `src/session/writes/` alone, which knows the whole of it. */
export interface Cluster extends Place {
  /** Argo CD's own. Applications of others have theirs in the name of a right. */
  readonly namespace: string;
  readonly applications: ApplicationReads;
  readonly projects: ProjectReads;
  readonly leases: LeaseReads;
  readonly store: StoreReads;
  readonly applicationSets: ApplicationSetReads;
  readonly watches: Watches;
  readonly rights: Rights;
  readonly workflows: WorkflowReads;
  readonly probes: ProbeJobReads;
  /** What Argo CD is told about the health of kinds, and which kinds are not Kubernetes' own. */
  readonly kinds: ClusterKinds;
  readonly imports: ImportReads;
  /** As Argo CD says it: v3.2.11, with anything behind. */
  readonly argocdVersion: () => Promise<string>;
  /** Of the tokens for Argo CD: the one in use, and those in Secrets that may be read. */
  readonly tokenLives: () => Promise<readonly TokenLife[]>;
  /** The user that Kubernetes takes us for. `withinMs`: how long the answer may take at most. */
  readonly whoAmI: (withinMs?: number) => Promise<string>;
  /** Undefined: a simulated one in this process. */
  readonly address?: ClusterAddress | undefined;
  /** Contexts of other clusters that objects of Applications are in, by the server or name that a destination gives. */
  readonly contexts: ReadonlyMap<string, string>;
  /** The cluster of that server or name, through its context; '' is Argo CD's own. Throws where there is no context. */
  readonly at: (cluster: string) => Place;
}

/** The whole of what a run acts on: with what can change the cluster. */
export interface Target extends Cluster {
  readonly applications: Applications;
  readonly objects: ClusterObjects;
  readonly snapshots: Snapshots;
  readonly projects: Projects;
  readonly leases: Leases;
  readonly store: Store;
  readonly applicationSets: ApplicationSets;
  readonly workflows: Workflows;
  /** Of the tokens that a run of this use renews; none where its own is from a file. */
  readonly tokenRenewals: readonly TokenRenewal[];
  readonly probes: ProbeJobs;
  readonly at: (cluster: string) => WritablePlace;
}
