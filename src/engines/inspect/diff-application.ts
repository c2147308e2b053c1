// What a sync would change of one Application, as long as Argo CD's comparison says it.
import type { LabelSelector } from '../../model/label-selector.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import {
  type ApplicationView,
  ageOf,
  HYDRATED,
  isOutOfSync,
} from '../../ports/application-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import {
  type DiffNode,
  type DiffState,
  type ObjectDiff,
  objectDiffs,
} from '../../report/platform-diff.ts';

export interface DiffParts {
  readonly target: Pick<Cluster, 'applications'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** If false, what Argo CD compared last is shown, however old. */
  readonly refresh: boolean;
  readonly selector?: LabelSelector | undefined;
}

/** An Application as it was listed, or why there is nothing to compare. */
export type Row =
  | { readonly node: PlanNode; readonly view: ApplicationView }
  | {
      readonly node: PlanNode;
      readonly view?: undefined;
      readonly state: 'missing' | 'unknown';
      readonly reason: string;
    };

/** Argo CD overlooks a refresh now and then. */
const REFRESHES_MAX = 3;
/** It may compare again between two answers, which then do not fit together. */
const LOOKS_MAX = 3;

export async function diffOf(row: Row, parts: DiffParts): Promise<DiffNode> {
  const { node, view } = row;
  if (!view) return described(node, undefined, parts, row);
  const now = parts.refresh ? await refreshed(node, parts) : view;
  if (now === 'late') {
    const reason = 'Argo CD did not compare it again in time';
    return described(node, view, parts, { state: 'unknown', reason });
  }
  return await compared(node, now, parts, LOOKS_MAX);
}

async function refreshed(
  node: PlanNode,
  { target: { applications } }: DiffParts,
): Promise<ApplicationView | 'late' | undefined> {
  const address = addressOf(node);
  for (let left = REFRESHES_MAX; left > 0; left--) {
    const view = await applications.refresh(address);
    if (view && !view.refreshPending) return view;
    if (!view && !(await applications.get(address))) return undefined;
  }
  return 'late';
}

async function compared(
  node: PlanNode,
  view: ApplicationView | undefined,
  parts: DiffParts,
  left: number,
): Promise<DiffNode> {
  const { applications } = parts.target;
  if (!view) {
    const reason = 'its Application was deleted';
    return described(node, view, parts, { state: 'missing', reason });
  }
  const reason = whyUnknown(view);
  if (reason !== undefined) return described(node, view, parts, { state: 'unknown', reason });
  if (view.sync.status === 'Synced') return described(node, view, parts, { state: 'same' });
  const objects = objectDiffs(node, view, await applications.predictedObjects(addressOf(node)));
  const listed = view.resources.filter(({ status }) => isOutOfSync(status));
  if (objects.length > 0 && objects.length === listed.length)
    return described(node, view, parts, { state: 'different', objects });
  if (left > 0)
    return await compared(node, await applications.get(addressOf(node)), parts, left - 1);
  const unclear = 'Argo CD calls it OutOfSync, but does not say which objects differ';
  return described(node, view, parts, { state: 'unknown', reason: unclear });
}

/** An error of a sync does not keep Argo CD from comparing. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'ComparisonError',
  'InvalidSpecError',
  'UnknownError',
]);

function whyUnknown(view: ApplicationView): string | undefined {
  if (view.deleting) return 'its Application is being deleted';
  if (view.skipped) return 'Argo CD does not reconcile it (annotation skip-reconcile)';
  if (view.hydrated) return HYDRATED;
  const error = view.conditions.find(({ type }) => NOT_COMPARED.has(type));
  if (error) return `${error.type}: ${error.message}`;
  if (view.reconciledAt === undefined) return 'Argo CD has not compared it yet';
  if (view.wanted !== view.compared) return 'its spec has changed since Argo CD compared it';
  return view.sync.status === 'Unknown' ? 'Argo CD calls its sync status Unknown' : undefined;
}

function described(
  { id, stack }: PlanNode,
  view: ApplicationView | undefined,
  { clock }: DiffParts,
  found: {
    readonly state: DiffState;
    readonly reason?: string;
    readonly objects?: readonly ObjectDiff[];
  },
): DiffNode {
  const { state, reason = null, objects = [] } = found;
  const revisions = { from: view?.deployed ?? [], to: view?.sync.revisions ?? [] };
  return { id, stack, state, reason, revisions, age: ageOf(view, clock.now()), objects };
}
