// What a deployment would change, by Argo CD's own comparison, as data.
import { EXIT, type ExitStatus } from '../errors.ts';
import type { API_VERSION } from '../model/api-version.ts';
import { compareText } from '../model/names.ts';
import type { PlanNode } from '../plan/plan.ts';
import {
  type ApplicationView,
  isOutOfSync,
  type ResourceName,
  type ResourceView,
  renderResource,
} from '../ports/application-view.ts';
import type { PredictedObject } from '../ports/predicted-object.ts';
import type { Where } from './where.ts';

/** `kept`: Git does not have it any more, and it stays all the same. */
export type Change = 'changed' | 'added' | 'pruned' | 'kept';

export interface ObjectDiff extends PredictedObject {
  readonly change: Change;
  /** Why it stays. */
  readonly reason: string | null;
}

/** `unknown`: Argo CD's comparison says nothing about what Git has now. */
export type DiffState = 'same' | 'different' | 'missing' | 'unknown';

export interface DiffNode {
  readonly id: string;
  readonly stack: string | null;
  readonly state: DiffState;
  /** Why it is missing or unknown. */
  readonly reason: string | null;
  /** What was deployed last, and what Git had at the last comparison. */
  readonly revisions: { readonly from: readonly string[]; readonly to: readonly string[] };
  /** Seconds since Argo CD compared it. */
  readonly age: number | null;
  readonly objects: readonly ObjectDiff[];
}

export interface Diff {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Diff';
  readonly platform: string;
  /** Absent: a simulated cluster, or it was not read. */
  readonly where?: Where | undefined;
  readonly plan: string;
  readonly scope: readonly string[];
  /** Labels of the Applications that were looked at; absent: all of them. */
  readonly selector?: string;
  readonly exitStatus: ExitStatus;
  readonly refreshed: boolean;
  readonly nodes: readonly DiffNode[];
}

/** What is unknown could differ, so it counts for more than what differs. */
export function diffStatus(nodes: readonly Pick<DiffNode, 'state'>[]): ExitStatus {
  if (nodes.some(({ state }) => state === 'unknown')) return EXIT.failure;
  return nodes.every(({ state }) => state === 'same') ? EXIT.ok : EXIT.partial;
}

/** What Argo CD itself calls different: the prediction alone also differs in what it is told to ignore. */
export function objectDiffs(
  node: PlanNode,
  application: ApplicationView,
  predicted: readonly PredictedObject[],
): readonly ObjectDiff[] {
  const judged = new Map(application.resources.map((one) => [renderResource(one), one]));
  return predicted
    .flatMap((object): ObjectDiff[] => {
      const resource = judged.get(renderResource(object));
      if (!resource || !isOutOfSync(resource.status)) return [];
      return [{ ...object, ...changeOf(node, application, object, resource) }];
    })
    .sort((a, b) => compareText(renderResource(a), renderResource(b)));
}

function changeOf(
  node: PlanNode,
  application: ApplicationView,
  object: PredictedObject,
  { requiresPruning }: ResourceView,
): Pick<ObjectDiff, 'change' | 'reason'> {
  if (object.predicted !== undefined && !requiresPruning)
    return { change: object.live === undefined ? 'added' : 'changed', reason: null };
  const reason = whyKept(node, application, object);
  return { change: reason === null ? 'pruned' : 'kept', reason };
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
const CHILDREN: ReadonlySet<string> = new Set(['Application', 'ApplicationSet']);

function whyKept(
  { kind }: PlanNode,
  { automated }: ApplicationView,
  object: PredictedObject,
): string | null {
  if (!automated?.prune) return 'its Application does not prune (automated.prune)';
  if (optionsOf(object).includes('Prune=false')) return 'its sync option Prune=false';
  if (kind !== 'application' && isChild(object))
    return 'the sync of a parent that would prune it is refused; remove it with `tiphys teardown --scope`, or restore it in Git';
  return null;
}

const isChild = ({ group, kind }: ResourceName): boolean =>
  group === 'argoproj.io' && CHILDREN.has(kind);

function optionsOf({ live }: PredictedObject): readonly string[] {
  const { annotations } = (live?.metadata ?? {}) as { readonly annotations?: unknown };
  const text = (annotations as Readonly<Record<string, unknown>> | undefined)?.[SYNC_OPTIONS];
  return typeof text === 'string' ? text.split(',').map((word) => word.trim()) : [];
}
