// What a run of a platform holds on its AppProjects, or left held, as they show it now.
import type { ApplicationAddress } from '../../model/platform.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { nodeOf } from '../../plan/platform-graph.ts';
import type { Cluster } from '../../ports/target.ts';
import { holdOf } from '../../run/hold.ts';

export interface HeldApplication {
  /** Of its node, or what that would be. */
  readonly id: string;
  readonly address: ApplicationAddress;
  /** Not in the platform file any more: only `release` lets go of it. */
  readonly isGone: boolean;
}

/** In the order of the plan, then what is gone. Of a part of the platform, only what that part has. */
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
 * Members, and of a parent the node at which it is handed over: its close, or its open where a part of the platform has no
 * close of it. Its own sync must not overtake what its stack depends on either.
 */
export function holdableNodes({ action, nodes }: Plan): PlanNode[] {
  const closes = nodes.filter(({ kind }) => kind === 'close');
  const closed = new Set(closes.map(({ application }) => application));
  return nodes.filter(({ kind, application }) => {
    if (application === null) return false;
    return kind !== 'open' || (action === 'deploy' && !closed.has(application));
  });
}

/** Each once. */
export const projectsOf = (nodes: readonly PlanNode[]): readonly string[] => [
  ...new Set(nodes.map((node) => addressOf(node).project)),
];

function isWhole({ scope }: Plan): boolean {
  return scope.includes('platform');
}

function keyOf({ project, name }: Pick<ApplicationAddress, 'project' | 'name'>): string {
  return `${project}/${name}`;
}
