// Everything that can be found wrong before the first write: what is missing, what is not ours, what may not be done.
import { type Diagnostic, TiphysError } from '../errors.ts';
import { quote } from '../model/names.ts';
import { keyOf, namespacesOf } from '../plan/node-address.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { OPEN_PLATFORM, openOf } from '../plan/platform-graph.ts';
import type { ProjectView } from '../ports/app-projects.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { ApplicationSetView, Cluster } from '../ports/target.ts';
import { lacking, onApplication, type Right } from './check-rights.ts';
import { type Unexpected, unexpectedOf } from './unexpected.ts';

export interface CheckedCluster {
  /** By `namespace/name`: the Applications of the plan that exist. */
  readonly applications: ReadonlyMap<string, ApplicationView>;
  readonly projects: ReadonlyMap<string, ProjectView>;
  /** Everything in the plan's namespaces. */
  readonly listed: readonly ApplicationView[];
  /** Made by a parent of the plan, but not in it. */
  readonly unexpected: readonly Unexpected[];
}

/** Throws with everything that is wrong. */
export async function checkCluster(plan: Plan, target: Cluster): Promise<CheckedCluster> {
  const namespaces = namespacesOf(plan);
  const [listed, sets] = await Promise.all([
    target.applications.list(namespaces),
    target.applicationSets.list(namespaces),
  ]);
  const all = new Map(listed.map((view) => [`${view.namespace}/${view.name}`, view]));
  const nodes = plan.nodes.filter(({ application }) => application !== null);
  const projects = await projectsOf(nodes, target);
  const problems = [
    ...nodes.flatMap((node) => wrongApplication(node, plan, all.get(keyOf(node)))),
    ...projectProblems(nodes, projects),
    ...rollingSyncs(nodes, sets, all),
  ];
  const found = new Map(
    nodes.flatMap((node) => {
      const view = all.get(keyOf(node));
      return view ? [[keyOf(node), view] as const] : [];
    }),
  );
  if (problems.length === 0) problems.push(...(await missingRights(nodes, found, target)));
  if (problems.length > 0) throw new TiphysError(problems);
  return { applications: found, projects, listed, unexpected: unexpectedOf(plan, listed, sets) };
}

export async function projectsOf(nodes: readonly PlanNode[], target: Cluster) {
  const names = [
    ...new Set(nodes.flatMap(({ argocd }) => (argocd ? [argocd.project] : []))),
  ].sort();
  const views = await Promise.all(names.map((name) => target.projects.get(name)));
  return new Map(views.flatMap((view) => (view ? [[view.name, view] as const] : [])));
}

function wrongApplication(
  node: PlanNode,
  plan: Plan,
  view: ApplicationView | undefined,
): Diagnostic[] {
  // A parent's two nodes would say it twice.
  if (node.kind === 'close') return [];
  if (!view) return isMadeByParent(node, plan) ? [] : [missing(node)];
  return wrongProject(node, view);
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

/** Whether the plan syncs a parent that can be expected to make it. */
function isMadeByParent(node: PlanNode, plan: Plan): boolean {
  const parents = [OPEN_PLATFORM, ...(node.stack === null ? [] : [openOf(node.stack)])];
  return plan.nodes.some(
    ({ id, application }) => parents.includes(id) && id !== node.id && application !== null,
  );
}

function missing({ application, argocd }: PlanNode): Diagnostic {
  return {
    code: 'application-missing',
    message: `Argo CD has no Application ${quote(application ?? '')} in namespace ${quote(argocd?.namespace ?? '')}.`,
    hint: 'Create it, or name the Application that creates it (`root`, or `application` of its stack).',
  };
}

export function projectProblems(
  nodes: readonly PlanNode[],
  projects: ReadonlyMap<string, ProjectView>,
): Diagnostic[] {
  const wanted = [
    ...new Set(nodes.flatMap(({ argocd }) => (argocd ? [argocd.project] : []))),
  ].sort();
  return wanted
    .filter((name) => !projects.has(name))
    .map((name) => ({
      code: 'project-missing',
      message: `There is no AppProject ${quote(name)}.`,
      hint: 'Make it before the run, or correct argocd.project in the platform file.',
    }));
}

/** Those of the plan's own Applications: others are none of its business. */
function rollingSyncs(
  nodes: readonly PlanNode[],
  sets: readonly ApplicationSetView[],
  all: ReadonlyMap<string, ApplicationView>,
): Diagnostic[] {
  const owned = new Map(
    nodes.flatMap((node) => {
      const { namespace, name, applicationSet } = all.get(keyOf(node)) ?? {};
      return applicationSet === undefined ? [] : [[`${namespace}/${applicationSet}`, name ?? '']];
    }),
  );
  return sets.flatMap(({ rollingSync, namespace, name }) => {
    const application = rollingSync ? owned.get(`${namespace}/${name}`) : undefined;
    return application === undefined ? [] : [rolledOut(name, application)];
  });
}

function rolledOut(set: string, application: string): Diagnostic {
  return {
    code: 'applicationset-rolling-sync',
    message: `ApplicationSet ${quote(set)} syncs Application ${quote(application)} by RollingSync, which cannot be held.`,
    hint: 'Remove its `strategy`, and let the platform file give the order.',
  };
}

/** Whoever may not sync, or may not hold what syncs by itself, must not begin. */
async function missingRights(
  nodes: readonly PlanNode[],
  found: ReadonlyMap<string, ApplicationView>,
  target: Cluster,
): Promise<Diagnostic[]> {
  const asked = new Map<string, Right>();
  for (const node of nodes) {
    const { project = '', namespace = '' } = node.argocd ?? {};
    const address = { name: node.application ?? '', namespace, project };
    const right = onApplication('sync', address, target);
    asked.set(right.join(' '), right);
    const automated = found.get(keyOf(node))?.automated !== undefined || !found.has(keyOf(node));
    if (automated) asked.set(`update ${project}`, ['projects', 'update', project]);
  }
  return await lacking(asked.values(), target);
}
