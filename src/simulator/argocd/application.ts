// An Application as the simulated Argo CD reads and writes it.
import { type Json, type KubeObject, type Objects, withMetadata } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';

export const API = 'argoproj.io/v1alpha1';
export const REFRESH = 'argocd.argoproj.io/refresh';
export const FINALIZER = 'resources-finalizer.argocd.argoproj.io';
/** The same, but nothing waits for what it owns. */
export const BACKGROUND = `${FINALIZER}/background`;

interface Source extends Json {
  readonly repoURL: string;
  readonly path?: string;
  readonly targetRevision?: string;
}

export interface Operation extends Json {
  readonly sync?: {
    readonly revision?: string;
    readonly prune?: boolean;
    readonly syncOptions?: readonly string[];
    readonly resources?: readonly Json[];
    readonly autoHealAttemptsCount?: number;
  };
  readonly info?: readonly { readonly name: string; readonly value: string }[];
  readonly initiatedBy?: { readonly username?: string; readonly automated?: boolean };
  readonly retry?: Json;
}

export interface ResourceName {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export type ResultResource = ResourceName & Json;

export interface OperationState extends Json {
  readonly phase: 'Running' | 'Terminating' | 'Succeeded' | 'Failed' | 'Error';
  readonly message: string;
  readonly startedAt: string;
  readonly finishedAt?: string | undefined;
  readonly retryCount?: number;
  readonly operation: Operation;
  readonly syncResult?: {
    readonly revision: string;
    readonly source?: Source;
    readonly resources?: readonly ResultResource[];
  };
}

export interface ApplicationStatus extends Json {
  readonly sync?: {
    readonly status: string;
    readonly revision?: string;
    readonly comparedTo?: Json;
  };
  readonly health?: { readonly status?: string; readonly lastTransitionTime?: string };
  readonly reconciledAt?: string;
  readonly operationState?: OperationState | undefined;
  readonly resources?: readonly Json[];
  /** What succeeded, the oldest first. */
  readonly history?: readonly { readonly id: number; readonly [key: string]: unknown }[];
  readonly conditions?: readonly { readonly type: string; readonly message: string }[] | undefined;
}

interface ApplicationSpec extends Json {
  readonly project: string;
  readonly source?: Source;
  readonly sourceHydrator?: {
    readonly drySource: Source;
    readonly syncSource: { readonly repoURL?: string; targetBranch: string; path: string };
  };
  readonly destination: Readonly<Partial<Record<'server' | 'name' | 'namespace', string>>>;
  readonly ignoreDifferences?: readonly Json[];
  readonly syncPolicy?: {
    readonly automated?: Readonly<Partial<Record<'prune' | 'selfHeal' | 'enabled', boolean>>>;
    readonly syncOptions?: readonly string[];
    readonly retry?: Json;
  };
}

export interface Application extends KubeObject {
  readonly spec: ApplicationSpec;
  readonly operation?: Operation | undefined;
  readonly status?: ApplicationStatus;
}

export const asApplication = (object: KubeObject): Application => object as unknown as Application;

export const applicationsIn = (objects: Objects): Application[] =>
  objects.list(kindOf(API, 'Application')).map(asApplication);

export const keyOfApplication = ({ metadata }: KubeObject): string =>
  `${metadata.namespace}/${metadata.name}`;

/** Where its manifests come from: with a hydrator, where that writes them to. */
export function sourceOf({ spec }: Pick<Application, 'spec'>): Source {
  const { source = { repoURL: '' }, sourceHydrator } = spec;
  if (!sourceHydrator) return source;
  const { drySource, syncSource } = sourceHydrator;
  const { repoURL = drySource.repoURL, path, targetBranch: targetRevision } = syncSource;
  return { repoURL, path, targetRevision };
}

/** What it is compared to, as Argo CD notes it. */
export function comparedTo(application: Application): Json {
  const { destination, ignoreDifferences } = application.spec;
  return {
    source: sourceOf(application),
    destination,
    ...(ignoreDifferences ? { ignoreDifferences } : {}),
  };
}

const SKIP = 'argocd.argoproj.io/skip-reconcile';
/** What Go takes for true. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** It is not watched. */
export const isSkipped = ({ metadata }: KubeObject): boolean =>
  TRUE.has(metadata.annotations?.[SKIP] ?? '');

export function automation({ spec }: Application) {
  const automated = spec.syncPolicy?.automated;
  return automated && automated.enabled !== false ? automated : undefined;
}

export const isDone = (phase: string): boolean =>
  phase === 'Succeeded' || phase === 'Failed' || phase === 'Error';

/** Asks for a comparison. */
export function withRefresh(object: KubeObject, kind: string): KubeObject {
  return withMetadata(object, { annotations: { ...object.metadata.annotations, [REFRESH]: kind } });
}

/** Its conditions but those of these types. */
export const conditionsBut = ({ status }: Application, ...types: readonly string[]) =>
  (status?.conditions ?? []).filter(({ type }) => !types.includes(type));

/** The whole of its status but what is given. */
export function withStatus(
  application: Application,
  part: Partial<ApplicationStatus>,
): Application {
  return { ...application, status: { ...application.status, ...part } };
}
