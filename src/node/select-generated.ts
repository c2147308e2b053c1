// Which Applications a generated member represents now, and whether they are what it requires.

import { fits } from '../model/generator-keys.ts';
import { quote } from '../model/names.ts';
import { isCovered, isSelected, isStray, selectedOf, tooFew } from '../plan/generated.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView, UnreadableApplication } from '../ports/application-view.ts';
import type { ApplicationSetView, Cluster } from '../ports/target.ts';

export interface Selection {
  /** Sorted by name. */
  readonly views: readonly ApplicationView[];
  /** A problem that waiting does not fix; undefined: none. */
  readonly wrong: string | undefined;
  /** What may still appear; undefined: everything exists. */
  readonly waits: string | undefined;
}

type Readable = Pick<Cluster, 'applications' | 'applicationSets'>;

export async function selectGenerated(node: PlanNode, target: Readable): Promise<Selection> {
  const namespaces = [node.argocd?.namespace ?? ''];
  const unreadable: UnreadableApplication[] = [];
  const listed = await target.applications.list(namespaces, (one) => unreadable.push(one));
  const makers = ownersOf(node, selectedOf(node, listed));
  const sets = makers.size > 0 ? await target.applicationSets.list(namespaces) : [];
  return selectionOf(node, { listed, sets, unreadable });
}

export interface Listed {
  readonly listed: readonly ApplicationView[];
  readonly sets: readonly ApplicationSetView[];
  readonly unreadable?: readonly UnreadableApplication[];
}

/** The same from an existing list, of any namespaces. */
export function selectionOf(node: PlanNode, { listed, sets, unreadable = [] }: Listed): Selection {
  const views = selectedOf(node, listed).sort((a, b) => (a.name < b.name ? -1 : 1));
  const owners = ownersOf(node, views);
  const own = sets.filter(
    ({ name, namespace }) => owners.has(name) && namespace === node.argocd?.namespace,
  );
  const wrong = wrongApplication(node, listed) ?? unread(node, unreadable) ?? wrongSet(own);
  return { views, wrong, waits: missingSet(node, own) ?? tooFew(node, views.length) };
}

/** For a member that was done: a never-synced Application is new, unless the others alone are too few. */
export function withoutNew(
  node: PlanNode,
  views: readonly ApplicationView[],
): readonly ApplicationView[] {
  const old = views.filter(
    ({ operationState, sync }) => operationState !== undefined || sync.status === 'Synced',
  );
  return tooFew(node, old.length) === undefined ? old : views;
}

/** The ApplicationSets of the member. */
function ownersOf({ generated }: PlanNode, views: readonly ApplicationView[]): Set<string> {
  const named = generated?.applicationSet;
  const owners = views.flatMap(({ applicationSet }) => applicationSet ?? []);
  return new Set(named === undefined ? owners : [named, ...owners]);
}

/** The pattern in the hold must cover everything that belongs to the member, and nothing else. */
function wrongApplication(node: PlanNode, listed: readonly ApplicationView[]): string | undefined {
  const [pattern, project] = [quote(node.application ?? ''), quote(node.argocd?.project ?? '')];
  const stray = listed.find((view) => isStray(node, view));
  if (stray) {
    return `Application ${quote(stray.name)} belongs to it, but does not match ${pattern} in project ${project}: it cannot be put on hold`;
  }
  const other = listed.find((view) => isCovered(node, view) && !isSelected(node, view));
  if (!other) return undefined;
  return `Application ${quote(other.name)} does not belong to it, but matches ${pattern} in project ${project}: it would be put on hold as well`;
}

function unread(
  { application, argocd }: PlanNode,
  unreadable: readonly UnreadableApplication[],
): string | undefined {
  const one = unreadable.find(
    ({ name, namespace }) => namespace === argocd?.namespace && fits(application ?? '', name),
  );
  return one && `Application ${quote(one.name)} cannot be read: ${one.why}`;
}

function wrongSet(own: readonly ApplicationSetView[]): string | undefined {
  const rolling = own.find(({ rollingSync }) => rollingSync);
  if (rolling)
    return `ApplicationSet ${quote(rolling.name)} uses RollingSync, which cannot be put on hold`;
  const going = own.find(({ deleting }) => deleting);
  return going && `ApplicationSet ${quote(going.name)} is being deleted`;
}

function missingSet(
  { generated }: PlanNode,
  own: readonly ApplicationSetView[],
): string | undefined {
  const named = generated?.applicationSet;
  if (named !== undefined && !own.some(({ name }) => name === named))
    return `ApplicationSet ${quote(named)} does not exist`;
  const behind = own.find(({ upToDate }) => !upToDate);
  return behind && `ApplicationSet ${quote(behind.name)} is not up to date`;
}
