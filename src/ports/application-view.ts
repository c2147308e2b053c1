// What Tiphys looks at of an Argo CD Application. Targets build it from what the API answers; nothing else of an
// Application is ever used for a decision. Times are whole seconds since 1970, as Argo CD writes them.

export interface ApplicationView {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt: number | undefined;
  readonly labels: ReadonlyMap<string, string>;
  readonly deleting: boolean;
  /** Argo CD was told to leave it alone (annotation skip-reconcile). */
  readonly skipped: boolean;
  /** A refresh was asked for and has not been done yet. */
  readonly refreshPending: boolean;
  /** Its manifests are written to Git by Argo CD's source hydrator, from a source that no comparison looks at. */
  readonly hydrated: boolean;
  /** Automated sync; undefined without it. */
  readonly automated: { readonly prune: boolean; readonly selfHeal: boolean } | undefined;
  readonly syncOptions: readonly string[];
  /** Its syncs leave the windows of an AppProject that it has in its Git as they find them. */
  readonly leavesWindows: boolean;
  /** Sources and destination as canonical text: what is wanted, and what the last comparison looked at. */
  readonly wanted: string;
  readonly compared: string;
  /** Repositories or charts of the sources, in their order. */
  readonly repositories: readonly string[];
  /** Asked for and not ended. */
  readonly operation: OperationRequest | undefined;
  readonly operationState: OperationState | undefined;
  /** When its first sync succeeded, where its history still has that one. */
  readonly firstDeployedAt: number | undefined;
  /** The last syncs that succeeded, oldest first; ten unless the Application keeps fewer or more. */
  readonly deployments: readonly Deployment[];
  /** What its last successful sync deployed; empty: none is known. */
  readonly deployed: readonly string[];
  readonly sync: { readonly status: string; readonly revisions: readonly string[] };
  readonly health: HealthView & { readonly lastTransition: string | undefined };
  readonly reconciledAt: number | undefined;
  readonly conditions: readonly ConditionView[];
  /** Without hooks. */
  readonly resources: readonly ResourceView[];
  /** Hooks that were left. */
  readonly hooks: readonly ResourceName[];
  /** The ApplicationSet that made it, if one did. */
  readonly applicationSet: string | undefined;
  /** The Application that tracks it (app-of-apps), if one does. */
  readonly trackedBy: string | undefined;
  readonly finalizers: readonly string[];
  /** The namespace that its syncs make where it is missing (CreateNamespace=true). */
  readonly createsNamespace: string | undefined;
  /** The cluster that has its objects, as its destination calls it; undefined: Argo CD's own. */
  readonly remoteCluster: string | undefined;
}

/** Why such an Application is not deployed: nothing that Argo CD compares says whether the newest commit is hydrated. */
export const HYDRATED =
  'it has a source hydrator, which is not supported: it can be Synced and Healthy although its newest commit was not hydrated';

/** One that is there, and whose form is not that of an Application. */
export interface UnreadableApplication {
  readonly name: string;
  readonly namespace: string;
  readonly why: string;
}

export interface ConditionView {
  readonly type: string;
  readonly message: string;
  readonly since: number | undefined;
}

interface HealthView {
  readonly status: string;
  readonly message: string;
}

/** A sync of the past, as Argo CD recorded it. */
export interface Deployment {
  /** Empty: Argo CD does not say. */
  readonly username: string;
  readonly automated: boolean;
  readonly startedAt: number | undefined;
}

export interface OperationRequest {
  /** The `infos` of the request. */
  readonly infos: ReadonlyMap<string, string>;
  readonly automated: boolean;
  readonly username: string;
}

export type OperationPhase = 'Running' | 'Terminating' | 'Succeeded' | 'Failed' | 'Error';

export interface OperationState extends OperationRequest {
  readonly phase: OperationPhase;
  readonly message: string;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** What was applied. */
  readonly revisions: readonly string[];
  readonly results: readonly SyncResult[];
}

/** What an operation did to one resource. */
export interface SyncResult {
  readonly resource: ResourceName;
  readonly status: string;
  readonly hook: boolean;
  readonly message: string;
}

export interface ResourceName {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ResourceView extends ResourceName {
  /** Synced, OutOfSync or Unknown; empty where Argo CD lists it and does not compare it. */
  readonly status: string;
  readonly health: HealthView | undefined;
  readonly requiresPruning: boolean;
}

/** What keeps an Application from being Synced and Healthy. */
export const isWrong = ({ status, health }: ResourceView): boolean =>
  isOutOfSync(status) || (health !== undefined && health.status !== 'Healthy');

/** What Argo CD gives no status is not compared. */
export const isOutOfSync = (status: string): boolean => status !== 'Synced' && status !== '';

/** A live object of an Application, as far as generations tell whether its controller has looked at it. */
export interface LiveResource extends ResourceName {
  readonly present: boolean;
  readonly generation: number | undefined;
  /** The smallest generation that its status speaks of. */
  readonly observedGeneration: number | undefined;
  /** A Job that has neither completed nor failed. */
  readonly unfinishedJob: boolean;
}

/** A live object of an Application, as far as it tells what becomes of it when the Application is deleted. */
export interface ManagedObject extends ResourceName {
  readonly uid: string;
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
  /** Whom its tracking id names, as Argo CD calls an Application: NAME, or NAMESPACE_NAME. Undefined: it has none. */
  readonly tracker: string | undefined;
  /** The object that it belongs to, by ownerReferences. */
  readonly owner: string | undefined;
  /** Its own sync options, by annotation. */
  readonly syncOptions: readonly string[];
  /** helm.sh/resource-policy: keep. */
  readonly keptByHelm: boolean;
  readonly wave: number;
  readonly isLoadBalancer: boolean;
  /** A Secret by which Argo CD knows a cluster. */
  readonly registersCluster: boolean;
  /** A StatefulSet's: templates of claims, and whether these are deleted with it. */
  readonly claimTemplates: readonly string[];
  readonly deletesClaims: boolean;
  /** A definition's: the kind that it defines. */
  readonly defines: Pick<ResourceName, 'group' | 'kind'> | undefined;
}

/** The resource that is to blame, and what is the matter with it. */
export interface Culprit {
  readonly resource: string;
  readonly message: string;
}

export const isNamespace = ({ group, kind }: Pick<ResourceName, 'group' | 'kind'>): boolean =>
  group === '' && kind === 'Namespace';

export function renderResource({ group, kind, namespace, name }: ResourceName): string {
  const place = namespace ? `${namespace}/` : '';
  return `${group ? `${group}/` : ''}${kind} ${place}${name}`;
}

/**
 * Whether a later view differs in something that a decision could hang on. A refresh alone changes an Application twice;
 * a reader that took that for news would refresh for ever. Of an Application that was made anew, a watch that lags behind still shows the
 * old one: that is no news either.
 */
export function isNews(
  last: ApplicationView | undefined,
  seen: ApplicationView | undefined,
): boolean {
  if (!last || !seen) return last !== seen;
  if (versionOf(last) <= versionOf(seen)) return false;
  return last.uid !== seen.uid || decisive(last) !== decisive(seen);
}

/** Seconds since Argo CD compared it; null: never. The clock of the cluster may be ahead. */
export const ageOf = (view: ApplicationView | undefined, now: number): number | null =>
  view?.reconciledAt === undefined ? null : Math.max(0, Math.floor(now / 1000) - view.reconciledAt);

/** Of two views of one object. */
export function isOlder(one: ApplicationView, other: ApplicationView): boolean {
  return one.uid === other.uid && versionOf(one) < versionOf(other);
}

/** A server may lag behind the watch. */
export const newest = <T extends ApplicationView | undefined | null>(
  read: T,
  watched: ApplicationView | undefined,
): T | ApplicationView => (read && watched && isOlder(read, watched) ? watched : read);

/** Later changes have larger ones. */
export const versionOf = ({ resourceVersion }: { readonly resourceVersion: string }): bigint =>
  BigInt(resourceVersion);

function decisive(view: ApplicationView): string {
  const { operation, operationState: state, sync, health } = view;
  return JSON.stringify([
    operation !== undefined,
    state && [state.phase, state.startedAt, state.finishedAt, state.message],
    [sync.status, sync.revisions, health.status, health.lastTransition],
    view.conditions.map(({ type }) => type),
    [view.deleting, view.wanted === view.compared],
  ]);
}
