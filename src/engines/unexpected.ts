// Applications that a parent of the plan creates, itself or through its ApplicationSets, and that the platform file does
// not have.
import type { UnexpectedApplication } from '../inventory/inventory.ts';
import { isSelected } from '../plan/generated.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import { nodeOf } from '../plan/platform-graph.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { ApplicationSetView, Cluster } from '../ports/target.ts';

export function unexpectedOf(
  plan: Plan,
  listed: readonly ApplicationView[],
  sets: readonly ApplicationSetView[],
): UnexpectedApplication[] {
  const known = new Set(plan.nodes.flatMap(({ application }) => application ?? []));
  // A plan with only the open node has only some of the members: it cannot tell what else there is.
  const closed = new Set(
    plan.nodes.filter(({ kind }) => kind === 'close').map(({ stack }) => stack),
  );
  const opens = plan.nodes.filter(({ kind, stack }) => kind === 'open' && closed.has(stack));
  const parents = new Set(opens.flatMap(({ application }) => application ?? []));
  const makers = new Map(sets.map((set) => [`${set.namespace}/${set.name}`, set.trackedBy]));
  const generated = plan.nodes.filter((node) => node.generated);
  const strangers = listed.flatMap((view) => {
    const { name, namespace, project, trackedBy, applicationSet } = view;
    if (generated.some((node) => isSelected(node, view))) return [];
    const madeBy = applicationSet ? makers.get(`${namespace}/${applicationSet}`) : trackedBy;
    return !known.has(name) && madeBy ? [{ name, namespace, project, madeBy }] : [];
  });
  const all = withMade(parents, strangers);
  return strangers.filter(({ madeBy }) => all.has(madeBy));
}

/** The parents, and what they have created: an unexpected one may create others in turn. */
function withMade(
  parents: ReadonlySet<string>,
  strangers: readonly UnexpectedApplication[],
): ReadonlySet<string> {
  const all = new Set(parents);
  for (let before = 0; before !== all.size; ) {
    before = all.size;
    for (const { name, madeBy } of strangers) if (all.has(madeBy)) all.add(name);
  }
  return all;
}

/**
 * ApplicationSets, if they have created something: most platforms have none, and the permission to list them may be
 * missing.
 */
export async function listMakers(
  listed: readonly ApplicationView[],
  namespaces: readonly string[],
  { applicationSets }: Pick<Cluster, 'applicationSets'>,
): Promise<readonly ApplicationSetView[]> {
  const isMade = listed.some(({ applicationSet }) => applicationSet !== undefined);
  return isMade ? await applicationSets.list(namespaces) : [];
}

/** The warning of a deployment. */
export const leftAlone = ({ name, madeBy }: UnexpectedApplication): string =>
  `Application "${name}" is created by "${madeBy}" but is not in the plan; it is not changed`;

/**
 * The plan of a teardown with a node for each of them. Their dependencies are unknown, so each one is deleted before all
 * members of its stack, like a dependent of the whole stack, and after what it has created. The hash stays that of the
 * plan.
 */
export function withUnexpected(plan: Plan, unexpected: readonly UnexpectedApplication[]): Plan {
  const byClose = new Map<string, PlanNode[]>();
  const placed = new Set<string>();
  const add = (parent: PlanNode, close: PlanNode, maker: string): string[] => {
    const made = unexpected.filter(({ name, madeBy }) => madeBy === maker && !placed.has(name));
    for (const { name } of made) placed.add(name);
    return made.map(({ name, namespace, project }) => {
      const before = add(parent, close, name);
      const node: PlanNode = {
        ...parent,
        id: nodeOf(name),
        kind: 'application',
        application: name,
        argocd: { namespace, project },
        dependsOn: before.length > 0 ? before : close.dependsOn,
        layer: close.layer,
      };
      byClose.set(close.id, [...(byClose.get(close.id) ?? []), node]);
      return node.id;
    });
  };
  for (const parent of plan.nodes.filter(({ kind }) => kind === 'open')) {
    const close = plan.nodes.find(({ kind, stack }) => kind === 'close' && stack === parent.stack);
    if (parent.application !== null && close) add(parent, close, parent.application);
  }
  const nodes = plan.nodes.flatMap((node) => {
    const before = byClose.get(node.id) ?? [];
    if (before.length === 0) return [node];
    return [...before, { ...node, dependsOn: before.map(({ id }) => id) }];
  });
  return { ...plan, nodes };
}
