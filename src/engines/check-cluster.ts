// Everything that can be found wrong before the first write: what is missing, what belongs to others, what is not
// permitted.
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
  /** Created by a parent of the plan, but not in it. */
  readonly unexpected: readonly UnexpectedApplication[];
}

/** What a run needs to read before it starts. */
export type Checkable = Pick<
  Cluster,
  'namespace' | 'applications' | 'applicationSets' | 'projects' | 'rights' | 'store' | 'probes'
>;

/** Throws one error with every problem. */
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

/** The AppProjects of the nodes, and an error for each one that does not exist. */
export async function readProjects(nodes: readonly PlanNode[], target: Pick<Cluster, 'projects'>) {
  const names = [...new Set(nodes.flatMap(({ argocd }) => argocd?.project ?? []))].sort();
  const views = await Promise.all(names.map((name) => target.projects.get(name)));
  const projects = new Map(views.flatMap((view) => (view ? [[view.name, view]] : [])));
  const missing = names
    .filter((name) => !projects.has(name))
    .map(
      (name): Diagnostic => ({
        code: 'project-missing',
        message: `AppProject ${quote(name)} does not exist.`,
        hint: 'Create it before the run, or correct argocd.project in the platform file.',
      }),
    );
  return { projects, missing };
}

/** `isMade`: a parent that the plan syncs creates it. */
function wrongApplication(
  node: PlanNode,
  isMade: boolean,
  view: ApplicationView | undefined,
): Diagnostic[] {
  // A parent's two nodes would report it twice.
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

/** ApplicationSets of the plan's own Applications, including ones that do not exist yet: others do not matter. */
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
    return [rolledOut(name, `the children of Application ${quote(trackedBy)}`)];
  });
}

function rolledOut(set: string, applications: string): Diagnostic {
  return {
    code: 'applicationset-rolling-sync',
    message: `ApplicationSet ${quote(set)} syncs ${applications} with RollingSync, which cannot be put on hold.`,
    hint: 'Remove its `strategy`: the platform file defines the order.',
  };
}

/** Without the permission to sync, or to put automated syncs on hold, a run must not start. */
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
