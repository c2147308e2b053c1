// An Application as the API gives it -> what a run looks at.
import { withoutPasswords } from '../../errors.ts';
import type {
  ApplicationView,
  Deployment,
  OperationRequest,
  OperationState,
  ResourceName,
  ResourceView,
  SyncResult,
} from '../../ports/application-view.ts';
import { remoteCluster } from '../../ports/remote-cluster.ts';
import { trackedBy } from '../../ports/tracking.ts';
import { comparedText, sourcesOf, wantedText } from './comparison.ts';
import {
  parseApplication,
  type RawApplication,
  type RawOperation,
  type RawOperationState,
  type RawResource,
  type RawResult,
} from './schema.ts';

const REFRESH = 'argocd.argoproj.io/refresh';
const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile';
/** Argo CD reads it as Go does: these and no others. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Throws zod's error where it is not an Application. */
export function applicationView(given: unknown): ApplicationView {
  const raw = parseApplication(given);
  const { metadata, spec, status } = raw;
  const { annotations } = metadata;
  const automated = spec.syncPolicy?.automated;
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    project: spec.project || 'default',
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    createdAt: metadata.creationTimestamp,
    labels: metadata.labels,
    deleting: metadata.deletionTimestamp !== undefined,
    skipped: TRUE.has(annotations.get(SKIP_RECONCILE) ?? ''),
    refreshPending: annotations.has(REFRESH),
    hydrated: spec.sourceHydrator !== undefined,
    automated:
      automated && automated.enabled !== false
        ? { prune: automated.prune, selfHeal: automated.selfHeal }
        : undefined,
    syncOptions: spec.syncPolicy?.syncOptions ?? [],
    leavesWindows: leavesWindows(raw),
    wanted: wantedText(raw),
    compared: comparedText(raw),
    repositories: sourcesOf(spec).map(repository).map(withoutPasswords),
    operation: raw.operation && operationRequest(raw.operation),
    operationState: status?.operationState && operationState(status.operationState),
    firstDeployedAt: firstDeployedAt(status?.history ?? []),
    deployments: (status?.history ?? []).map(deployment),
    deployed: revisionsOf(status?.history.at(-1)),
    sync: { status: status?.sync?.status || 'Unknown', revisions: revisionsOf(status?.sync) },
    health: health(status?.health),
    reconciledAt: status?.reconciledAt,
    conditions: (status?.conditions ?? []).map(({ lastTransitionTime, ...condition }) => ({
      ...condition,
      since: lastTransitionTime,
    })),
    resources: (status?.resources ?? []).filter(({ hook }) => !hook).map(resourceView),
    hooks: (status?.resources ?? []).filter(({ hook }) => hook).map(resourceName),
    applicationSet: metadata.ownerReferences.find(({ kind }) => kind === 'ApplicationSet')?.name,
    trackedBy: trackedBy('Application', metadata),
    finalizers: metadata.finalizers,
    createsNamespace: createsNamespace(spec),
    remoteCluster: remoteCluster(spec.destination),
  };
}

/** The two lines that keep a hold through a sync of the AppProject. */
function leavesWindows({ spec }: RawApplication): boolean {
  if (!spec.syncPolicy?.syncOptions.includes('RespectIgnoreDifferences=true')) return false;
  return spec.ignoreDifferences.some(
    ({ group, kind, name, jsonPointers }) =>
      ['argoproj.io', '*'].includes(String(group)) &&
      ['AppProject', '*'].includes(String(kind)) &&
      !name &&
      Array.isArray(jsonPointers) &&
      jsonPointers.includes('/spec/syncWindows'),
  );
}

function createsNamespace({ syncPolicy, destination }: RawApplication['spec']): string | undefined {
  if (!syncPolicy?.syncOptions.includes('CreateNamespace=true')) return undefined;
  const namespace = destination?.namespace;
  return typeof namespace === 'string' && namespace !== '' ? namespace : undefined;
}

/** Entries are numbered from 0, and the oldest ones are dropped. */
function firstDeployedAt(history: RawHistory) {
  return history.find(({ id }) => id === 0)?.deployedAt;
}

type RawHistory = NonNullable<RawApplication['status']>['history'];

function deployment({ initiatedBy, ...times }: RawHistory[number]): Deployment {
  return {
    username: initiatedBy?.username ?? '',
    automated: initiatedBy?.automated ?? false,
    startedAt: times.deployStartedAt ?? times.deployedAt,
  };
}

type RawHealth = NonNullable<RawApplication['status']>['health'];

/** Argo CD writes none before the first comparison. */
function health(raw: RawHealth): ApplicationView['health'] {
  return {
    status: raw?.status || 'Unknown',
    message: raw?.message ?? '',
    lastTransition: raw?.lastTransitionTime,
  };
}

function repository(source: Readonly<Record<string, unknown>>): string {
  const { repoURL, chart } = source;
  return chart ? `${repoURL}/${chart}` : `${repoURL}`;
}

interface Revisions {
  readonly revision: string;
  readonly revisions: readonly string[];
}

function revisionsOf(raw: Revisions | undefined): readonly string[] {
  if (!raw) return [];
  if (raw.revisions.length > 0) return raw.revisions;
  return raw.revision ? [raw.revision] : [];
}

function operationRequest({ info, initiatedBy }: RawOperation): OperationRequest {
  return {
    infos: new Map(info.map(({ name, value }) => [name, value])),
    automated: initiatedBy?.automated ?? false,
    username: initiatedBy?.username ?? '',
  };
}

const NO_REQUEST: RawOperation = { info: [], initiatedBy: undefined };

function operationState(raw: RawOperationState): OperationState {
  const { infos, automated, username } = operationRequest(raw.operation ?? NO_REQUEST);
  return {
    infos,
    automated,
    username,
    phase: raw.phase,
    message: raw.message,
    startedAt: raw.startedAt,
    finishedAt: raw.finishedAt,
    revisions: revisionsOf(raw.syncResult),
    results: (raw.syncResult?.resources ?? []).map(syncResult),
  };
}

/** A hook has a phase and often no status; other resources have a phase too, which says less than their status. */
function syncResult(raw: RawResult): SyncResult {
  const { group, kind, namespace, name, status, hookType, hookPhase, message } = raw;
  const hook = hookType !== '';
  return {
    resource: { group, kind, namespace, name },
    status: hook ? hookPhase || status : status || hookPhase,
    hook,
    message,
  };
}

function resourceName({ group, kind, namespace, name }: RawResource): ResourceName {
  return { group, kind, namespace, name };
}

function resourceView({ hook: _, ...resource }: RawResource): ResourceView {
  return resource;
}
