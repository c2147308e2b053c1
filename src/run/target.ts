// What a run needs of the cluster it acts on. `src/targets/` implements it; the node program and the engines know nothing
// of HTTP. Reads are retried inside, within the deadline of the caller; writes are sent once.
import type { ApplicationAddress } from '../model/platform.ts';
import type {
  ApplicationView,
  Culprit,
  ListApplications,
  LiveResource,
  ManagedObject,
  ResourceName,
} from './application-view.ts';
import type { ClusterObjects, Residue, Snapshots } from './cluster-objects.ts';
import type { ClusterKinds } from './kinds.ts';
import type { WriteResult } from './write-result.ts';

export type { RefusalReason, WriteResult } from './write-result.ts';

export interface SyncRequest {
  /** Becomes the operation's `info`: how a run knows its own operation again. */
  readonly infos: ReadonlyMap<string, string>;
  readonly prune: boolean;
  readonly syncOptions: readonly string[];
}

/** A write is given up after so long. A lease must outlast it, and a takeover waits so much longer than the lease. */
export const WRITE_DEADLINE_MS = 5_000;

/** A window of an AppProject that applies to an application, as Argo CD judges it. */
export interface SyncWindow {
  readonly kind: 'allow' | 'deny';
  readonly schedule: string;
  readonly duration: string;
  readonly manualSync: boolean;
  readonly active: boolean;
}

export interface Applications {
  /** Straight from the cluster, never from a cache. Undefined if there is none. */
  readonly get: (address: ApplicationAddress) => Promise<ApplicationView | undefined>;
  /**
   * Asks Argo CD to compare with Git again, and waits until it did. Not a write. Returns the Application as it was then;
   * undefined if there is none, or if it took too long.
   */
  readonly refresh: (address: ApplicationAddress) => Promise<ApplicationView | undefined>;
  readonly liveResources: (address: ApplicationAddress) => Promise<readonly LiveResource[]>;
  /** What it has in the cluster, as Argo CD saw it last. */
  readonly managedObjects: (address: ApplicationAddress) => Promise<readonly ManagedObject[]>;
  /** What is to blame where an Application is not Healthy, down to the pod. Undefined if nothing is. */
  readonly culprit: (address: ApplicationAddress) => Promise<Culprit | undefined>;
  readonly syncWindows: (address: ApplicationAddress) => Promise<readonly SyncWindow[]>;
  readonly requestSync: (address: ApplicationAddress, request: SyncRequest) => Promise<WriteResult>;
  readonly terminate: (address: ApplicationAddress) => Promise<WriteResult>;
  /** With all that it has, foreground. Answered at once; it is gone when reading says so. */
  readonly remove: (address: ApplicationAddress) => Promise<WriteResult>;
}

/** A change that was seen by the watch. A hint where to look, never a verdict. */
export interface Hint {
  readonly name: string;
  readonly namespace: string;
  /** Undefined: it was deleted. */
  readonly application: ApplicationView | undefined;
}

export interface Watch {
  /** The newest that was seen of it. */
  readonly last: (address: ApplicationAddress) => ApplicationView | undefined;
  /** Resolves at the next change of this Application, or when the signal is given. */
  readonly nextChange: (address: ApplicationAddress, signal: AbortSignal) => Promise<void>;
  readonly subscribe: (listener: (hint: Hint) => void) => () => void;
  /**
   * Calls at each change of an object of whatever kind, until the signal is given. Gives back the second of its last change
   * before, Infinity where that is not known; undefined where it may not be watched.
   */
  readonly follow: (
    resource: ResourceName,
    changed: () => void,
    signal: AbortSignal,
  ) => Promise<number | undefined>;
}

/** An AppProject, as far as windows go. */
export interface ProjectView {
  readonly name: string;
  readonly resourceVersion: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly windows: readonly ProjectWindow[];
  /** The Application that has it in its Git (tracking id), if one has. */
  readonly trackedBy: string | undefined;
}

/** Fields that are not known here are kept as they are. */
export interface ProjectWindow {
  readonly kind: 'allow' | 'deny';
  readonly schedule: string;
  readonly duration: string;
  readonly applications: readonly string[];
  readonly manualSync: boolean;
  /** The whole window as Argo CD gave it, to be given back unchanged; undefined for one of ours. */
  readonly given: unknown;
}

export interface Projects {
  readonly get: (name: string) => Promise<ProjectView | undefined>;
  /**
   * Replaces windows and the annotations named (undefined removes one), only if nobody wrote meanwhile: `conflict`
   * otherwise. Everything else of the project stays as it was read.
   */
  readonly update: (
    project: ProjectView,
    change: {
      readonly windows: readonly ProjectWindow[];
      readonly annotations: ReadonlyMap<string, string | undefined>;
    },
  ) => Promise<WriteResult>;
}

/** A Kubernetes Lease. Times are what its writer said; only whether they change counts. */
export interface LeaseView {
  readonly name: string;
  readonly resourceVersion: string;
  readonly holder: string;
  readonly durationSeconds: number;
  readonly renewTime: string;
  readonly transitions: number;
  readonly annotations: ReadonlyMap<string, string>;
}

export interface Leases {
  readonly get: (name: string) => Promise<LeaseView | undefined>;
  readonly create: (lease: Omit<LeaseView, 'resourceVersion'>) => Promise<WriteResult>;
  /** Only if nobody wrote meanwhile: `conflict` otherwise. */
  readonly update: (lease: LeaseView) => Promise<WriteResult>;
}

export interface StoredText {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  /** File name -> bytes. */
  readonly data: ReadonlyMap<string, Uint8Array>;
}

/** ConfigMaps of the Argo CD namespace. */
export interface Store {
  readonly list: (labels: ReadonlyMap<string, string>) => Promise<readonly StoredText[]>;
  /** Creates or replaces, with one request after the other: `mayWrite` is asked before each. */
  readonly put: (text: StoredText, mayWrite: () => boolean) => Promise<WriteResult>;
  readonly remove: (name: string) => Promise<WriteResult>;
}

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

interface WorkflowNode {
  readonly name: string;
  readonly phase: string;
  readonly message: string;
}

/** A Workflow of Argo Workflows, as far as one follows it. */
export interface WorkflowView {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly annotations: ReadonlyMap<string, string>;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Empty until the controller has seen it. */
  readonly phase: string;
  readonly message: string;
  /** The output `run` of one of its pods, once there is one. */
  readonly run: string | undefined;
  /** By the names of their tasks. */
  readonly nodes: readonly WorkflowNode[];
  /** They are too many to be told one by one, and none is. */
  readonly isPacked: boolean;
}

/** Calls at each change of that one, until the signal is given. False where that right is missing. */
type WatchOne = (
  namespace: string,
  name: string,
  changed: () => void,
  signal: AbortSignal,
) => Promise<boolean>;

export interface Workflows {
  readonly get: (namespace: string, name: string) => Promise<WorkflowView | undefined>;
  /** Undefined where the cluster does not know Workflows. */
  readonly list: (
    namespace: string,
    labels: ReadonlyMap<string, string>,
  ) => Promise<readonly WorkflowView[] | undefined>;
  /** With the ConfigMap that its pods read, which may be there already. */
  readonly create: (namespace: string, files: object, workflow: object) => Promise<WriteResult>;
  /** What runs is ended, and then its exit handler runs. */
  readonly stop: (namespace: string, name: string) => Promise<WriteResult>;
  readonly watch: WatchOne;
  /**
   * Calls at each change of its agent's pod with what keeps that from starting, as Kubernetes says it; empty where nothing
   * does. False where pods may not be seen.
   */
  readonly watchAgent: (
    namespace: string,
    name: string,
    changed: (trouble: string) => void,
    signal: AbortSignal,
  ) => Promise<boolean>;
}

/** What a Workflow leaves to its agent, by the ids of its nodes. */
export interface TaskSetView {
  /** The Workflow has ended. */
  readonly isOver: boolean;
  /** What the template of each task gives the agent; undefined where it is for another one. */
  readonly tasks: ReadonlyMap<string, Readonly<Record<string, string>> | undefined>;
  /** Those of them whose result is there, and was not taken yet. */
  readonly reported: ReadonlySet<string>;
}

export interface TaskResult {
  readonly phase: 'Succeeded' | 'Failed';
  readonly message: string;
  /** Output parameters. */
  readonly outputs: Readonly<Record<string, string>>;
}

/** WorkflowTaskSets of Argo Workflows. */
export interface TaskSets {
  readonly get: (namespace: string, name: string) => Promise<TaskSetView | undefined>;
  /** Only for tasks that are still there, and only if nobody wrote meanwhile: `conflict` otherwise. */
  readonly report: (
    namespace: string,
    name: string,
    results: ReadonlyMap<string, TaskResult>,
  ) => Promise<WriteResult>;
  readonly watch: WatchOne;
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
