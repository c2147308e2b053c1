// Everything that can be found wrong before the first write: what is missing, what is not ours, what may not be done.
import { type Diagnostic, TiphysError } from '../errors.ts';
import type { UnexpectedApplication } from '../inventory/inventory.ts';
import { quote } from '../model/names.ts';
import { isSelected } from '../plan/generated.ts';
import { makersOf } from '../plan/makers.ts';
import { addressOf, keyOf, namespacesOf, viewsByKey } from '../plan/node-address.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { ProjectView } from '../ports/app-projects.ts';
import type { ApplicationView, UnreadableApplication } from '../ports/application-view.ts';
import type { ApplicationSetView, Cluster } from '../ports/target.ts';
import { wrongGenerated } from './check-generated.ts';
import {
  impossibleProbes,
  lacking,
  onApplication,
  unholdable,
  unreadableApprovals,
} from './check-rights.ts';
import { hydrated } from './hydrated.ts';
import { unexpectedOf } from './unexpected.ts';

export interface CheckedCluster {
  /** By `namespace/name`: the Applications of the plan that exist. */
  readonly applications: ReadonlyMap<string, ApplicationView>;
  readonly projects: ReadonlyMap<string, ProjectView>;
  /** Whether the Application of that name does not write sync windows of AppProjects. */
  readonly leavesWindows: (name: string) => boolean;
  /** Made by a parent of the plan, but not in it. */
  readonly unexpected: readonly UnexpectedApplication[];
}

/** What a run needs to read before it begins. */
export type Checkable = Pick<
  Cluster,
  'namespace' | 'applications' | 'applicationSets' | 'projects' | 'rights' | 'store' | 'probes'
>;

/** Throws with everything that is wrong. */
export async function checkCluster(plan: Plan, target: Checkable): Promise<CheckedCluster> {
  const namespaces = namespacesOf(plan);
  const unreadable: UnreadableApplication[] = [];
  const [listed, sets] = await Promise.all([
    target.applications.list(namespaces, (one) => unreadable.push(one)),
    target.applicationSets.list(namespaces),
  ]);
  const all = viewsByKey(listed);
  const nodes = plan.nodes.filter(({ application }) => application !== null);
  const { projects, missing } = await readProjects(nodes, target);
  const makers = makersOf(plan);
  const problems = [
    ...nodes.flatMap((node) =>
      node.generated
        ? wrongGenerated(node, makers(node).length > 0, { listed, sets, unreadable })
        : wrongApplication(node, makers(node).length > 0, all.get(keyOf(node))),
    ),
    ...missing,
    ...rollingSyncs(nodes, sets, all),
  ];
  const keys = new Set(nodes.map(keyOf));
  const generated = nodes.filter((node) => node.generated);
  const isFound = (key: string, view: ApplicationView) =>
    keys.has(key) || generated.some((node) => isSelected(node, view));
  const found = new Map([...all].filter(([key, view]) => isFound(key, view)));
  if (problems.length === 0) problems.push(...(await missingRights(nodes, found, target)));
  if (problems.length === 0) problems.push(...(await unreadableApprovals(plan, target)));
  if (problems.length === 0) problems.push(...(await impossibleProbes(plan, target)));
  if (problems.length > 0) throw new TiphysError(problems);
  const leavesWindows = (name: string) =>
    listed.some((view) => view.name === name && view.leavesWindows);
  const unexpected = unexpectedOf(plan, listed, sets);
  return { applications: found, projects, leavesWindows, unexpected };
}

/** The AppProjects that the nodes belong to, and what is wrong where one does not exist. */
export async function readProjects(nodes: readonly PlanNode[], target: Pick<Cluster, 'projects'>) {
  const names = [...new Set(nodes.flatMap(({ argocd }) => argocd?.project ?? []))].sort();
  const views = await Promise.all(names.map((name) => target.projects.get(name)));
  const projects = new Map(views.flatMap((view) => (view ? [[view.name, view]] : [])));
  const missing = names
    .filter((name) => !projects.has(name))
    .map(
      (name): Diagnostic => ({
        code: 'project-missing',
        message: `There is no AppProject ${quote(name)}.`,
        hint: 'Make it before the run, or correct argocd.project in the platform file.',
      }),
    );
  return { projects, missing };
}

/** `isMade`: by a parent that the plan syncs. */
function wrongApplication(
  node: PlanNode,
  isMade: boolean,
  view: ApplicationView | undefined,
): Diagnostic[] {
  // A parent's two nodes would say it twice.
  if (node.kind === 'close') return [];
  if (!view) return isMade ? [] : [absent(node)];
  return [...wrongProject(node, view), ...hydrated(view)];
}

export function wrongProject(
  { argocd }: PlanNode,
  { name, project }: ApplicationView,
): Diagnostic[] {
  if (project === argocd?.project) return [];
  return [
    {
      code: 'application-wrong-project',
      message: `Application ${quote(name)} belongs to project ${quote(project)}, not ${quote(argocd?.project ?? '')}.`,
      hint: 'Correct `argocd.project` in the platform file, or the Application.',
    },
  ];
}

function absent({ application, argocd }: PlanNode): Diagnostic {
  return {
    code: 'application-missing',
    message: `Argo CD has no Application ${quote(application ?? '')} in namespace ${quote(argocd?.namespace ?? '')}.`,
    hint: 'Create it, or name the Application that creates it (`root`, or `application` of its stack).',
  };
}

/** Those of the plan's own Applications, also of such as they do not have yet: others are none of its business. */
function rollingSyncs(
  nodes: readonly PlanNode[],
  sets: readonly ApplicationSetView[],
  all: ReadonlyMap<string, ApplicationView>,
): Diagnostic[] {
  const makers = new Set(nodes.map(({ application }) => application));
  const owned = new Map(
    nodes.flatMap((node) => {
      const { namespace, name, applicationSet } = all.get(keyOf(node)) ?? {};
      return applicationSet === undefined ? [] : [[`${namespace}/${applicationSet}`, name ?? '']];
    }),
  );
  return sets.flatMap(({ rollingSync, namespace, name, trackedBy }) => {
    if (!rollingSync) return [];
    const application = owned.get(`${namespace}/${name}`);
    if (application !== undefined) return [rolledOut(name, `Application ${quote(application)}`)];
    if (trackedBy === undefined || !makers.has(trackedBy)) return [];
    return [rolledOut(name, `what it makes for Application ${quote(trackedBy)}`)];
  });
}

function rolledOut(set: string, applications: string): Diagnostic {
  return {
    code: 'applicationset-rolling-sync',
    message: `ApplicationSet ${quote(set)} syncs ${applications} by RollingSync, which cannot be held.`,
    hint: 'Remove its `strategy`, and let the platform file give the order.',
  };
}

/** Whoever may not sync, or may not hold what syncs by itself, must not begin. */
async function missingRights(
  nodes: readonly PlanNode[],
  found: ReadonlyMap<string, ApplicationView>,
  target: Pick<Cluster, 'namespace' | 'rights'>,
): Promise<Diagnostic[]> {
  const isAutomated = (node: PlanNode) => {
    const view = found.get(keyOf(node));
    return view === undefined || view.automated !== undefined;
  };
  const syncs = nodes.map((node) => onApplication('sync', addressOf(node), target));
  const held = nodes.filter(isAutomated).map((node) => addressOf(node).project);
  return [...(await lacking(syncs, target)), ...(await unholdable(held, target))];
}
