// What a run of a platform holds on its AppProjects, or left on hold, as they show it now.
import type { ApplicationAddress } from '../../model/platform.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { nodeOf } from '../../plan/platform-graph.ts';
import type { Cluster } from '../../ports/target.ts';
import { holdOf } from '../../run/hold.ts';

export interface HeldApplication {
  /** The id of its node, or the id that it would have. */
  readonly id: string;
  readonly address: ApplicationAddress;
  /** No longer in the platform file: only `release` lifts its hold. */
  readonly isGone: boolean;
}

/** In plan order, then removed applications. For a part of the platform, only that part. */
export async function heldApplications(
  plan: Plan,
  target: Pick<Cluster, 'namespace' | 'projects'>,
): Promise<HeldApplication[]> {
  const nodes = holdableNodes(plan);
  const views = await Promise.all(projectsOf(nodes).map((name) => target.projects.get(name)));
  const names = new Map(
    views.flatMap((view) => {
      const hold = view && holdOf(view, plan.platform);
      return view && hold?.platform === plan.platform ? [[view.name, hold.names] as const] : [];
    }),
  );
  const held = nodes.filter(({ application, argocd }) =>
    names.get(argocd?.project ?? '')?.includes(application ?? ''),
  );
  const known = new Set(nodes.map((node) => keyOf(addressOf(node))));
  const gone = isWhole(plan)
    ? [...names].flatMap(([project, all]) =>
        all.map((name) => ({ name, project, namespace: target.namespace })),
      )
    : [];
  return [
    ...held.map((node) => ({ id: node.id, address: addressOf(node), isGone: false })),
    ...gone
      .filter((address) => !known.has(keyOf(address)))
      .map((address) => ({ id: nodeOf(address.name), address, isGone: true })),
  ];
}

/**
 * Members, and of a parent the node at which its hold is lifted: its close, or its open if a part of the platform does not
 * include its close. The parent's own sync must not overtake the stack's dependencies either.
 */
export function holdableNodes({ action, nodes }: Plan): PlanNode[] {
  const closes = nodes.filter(({ kind }) => kind === 'close');
  const closed = new Set(closes.map(({ application }) => application));
  return nodes.filter(({ kind, application }) => {
    if (application === null) return false;
    return kind !== 'open' || (action === 'deploy' && !closed.has(application));
  });
}

/** Each one once. */
export const projectsOf = (nodes: readonly PlanNode[]): readonly string[] => [
  ...new Set(nodes.map((node) => addressOf(node).project)),
];

function isWhole({ scope }: Plan): boolean {
  return scope.includes('platform');
}

function keyOf({ project, name }: Pick<ApplicationAddress, 'project' | 'name'>): string {
  return `${project}/${name}`;
}
