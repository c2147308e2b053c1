// What a teardown itself needs: Argo CD, if an Application of the platform deploys it, and the AppProjects of its Applications. Such an
// Application stays, and so does everything that can only be deleted after it.
import { buildGraph, type Graph, idOf, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import { quote } from '../model/names.ts';
import type { Plan } from '../plan/plan.ts';
import { isNamespace, type ManagedObject, renderResource } from '../ports/application-view.ts';
import { deletedObjects, type Found, isGoingDefinition } from './fate.ts';
import type { Finding, LeftApplication, Policy } from './inventory.ts';
import { takesAlong } from './takes-along.ts';

/** What is needed, and where. */
export interface Needed {
  /** The namespace of Argo CD. */
  readonly argocdNamespace: string;
  /** AppProjects of the whole platform. */
  readonly projects: ReadonlySet<string>;
}

/** Resources that would be deleted with it, and that the teardown needs. */
export function neededObjects(
  one: Found,
  { crds }: Pick<Policy, 'crds'>,
  needed: Needed,
): ManagedObject[] {
  const definitions = crds ? (one.objects ?? []).filter((it) => isGoingDefinition(it, one)) : [];
  return [...deletedObjects(one), ...definitions].filter(
    (object) => isProject(object, needed) || isOfArgocd(object, needed),
  );
}

function isProject({ group, kind, namespace, name }: ManagedObject, needed: Needed): boolean {
  const isIt = group === 'argoproj.io' && kind === 'AppProject';
  return isIt && namespace === needed.argocdNamespace && needed.projects.has(name);
}

/** By names that Argo CD itself looks for, or that its charts and manifests end with. */
const PARTS: ReadonlyMap<string, RegExp> = new Map([
  // What the operator creates Argo CD from, and deletes it with.
  ['argoproj.io/ArgoCD', /./],
  ['/ConfigMap', /^argocd-(rbac-)?cm$/],
  ['/Secret', /^(argocd-secret|tiphys-argocd-token(-validate|-teardown)?)$/],
  ['/Service', /argocd-server$/],
  ['apps/Deployment', /(argocd-(repo-)?server|application-controller)$/],
  ['apps/StatefulSet', /application-controller$/],
]);
const DEFINITIONS = /^(applications|appprojects|applicationsets)\.argoproj\.io$/;

function isOfArgocd(object: ManagedObject, needed: Needed): boolean {
  const { group, kind, namespace, name } = object;
  if (kind === 'CustomResourceDefinition') return DEFINITIONS.test(name);
  if (isNamespace(object)) return name === needed.argocdNamespace;
  const isPart = PARTS.get(`${group}/${kind}`)?.test(name) ?? false;
  return isPart && namespace === needed.argocdNamespace;
}

/** `needed`: the needed resources of each of them, by node. In plan order. */
export function leftOf(
  plan: Plan,
  found: readonly Found[],
  needed: ReadonlyMap<string, ManagedObject>,
): LeftApplication[] {
  const reasons = new Map([...needed].map(([id, object]) => [id, reasonOf(object)]));
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  // An Application that stays may keep another one, which keeps others in turn.
  for (let added = [...needed.keys()]; added.length > 0; ) {
    for (const id of added) addLater(id, graph, found, reasons);
    added = addTaking(found, reasons);
  }
  return found.flatMap(({ id, view: { name, namespace, uid } }) => {
    const why = reasons.get(id);
    return why === undefined ? [] : [{ id, name, namespace, uid, why }];
  });
}

/** Everything that is deleted after it in the plan. */
function addLater(
  id: string,
  graph: Graph,
  found: readonly Found[],
  reasons: Map<string, string>,
): void {
  const name = found.find((one) => one.id === id)?.view.name ?? id;
  const later = reach(graph.dependents, [numberOf(graph.numbers, id)]);
  for (const [number, isLater] of later.entries()) {
    const other = idOf(graph, number);
    if (isLater === 1 && !reasons.has(other))
      reasons.set(other, `it can only be deleted after ${quote(name)}, which stays`);
  }
}

/** Everything that would delete one that stays, also against the plan. Returns those that did not stay before. */
function addTaking(found: readonly Found[], reasons: Map<string, string>): string[] {
  const staying = found.filter(({ id }) => reasons.has(id));
  return found.flatMap((one) => {
    const why = reasons.has(one.id) ? undefined : takesAlong(one, staying);
    if (why === undefined) return [];
    reasons.set(one.id, why);
    return [one.id];
  });
}

const reasonOf = (object: ManagedObject): string =>
  object.kind === 'AppProject'
    ? `it has the AppProject ${quote(object.name)}, which Argo CD needs to delete its Applications`
    : `it has Argo CD itself (${renderResource(object)})`;

export function leftForPrimitives({ id, name, why }: LeftApplication): Finding {
  const release = `argocd app delete ${name} --cascade=false`;
  const project = why.includes('AppProject')
    ? ' To delete it instead, give the AppProject the annotation argocd.argoproj.io/sync-options: Delete=false in Git, and sync.'
    : '';
  return {
    code: 'left-for-primitives',
    node: id,
    message: `${quote(name)} stays: ${why}.`,
    hint: `Before \`tiphys teardown --primitives\`, release it from Argo CD: ${release}.${project}`,
  };
}
