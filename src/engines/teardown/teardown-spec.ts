// What a teardown carries out, node by node, whatever engine it has: what was approved, and nothing else.
import { TiphysError } from '../../errors.ts';
import { type Inventory, seenCluster } from '../../inventory/inventory.ts';
import { contextFor, type NodeParts } from '../../node/context-for.ts';
import type { NodeResult } from '../../node/progress.ts';
import { FRESH_MS, removeApplication } from '../../node/remove-node.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { ApplicationReads } from '../../ports/argocd-applications.ts';
import type { ClaimSnapshots } from './claim-snapshots.ts';

export interface TeardownSpec {
  /** The deployment of the whole platform: what is held is named as there. */
  readonly deployment: Plan;
  /** As it was approved. Nothing is deleted that is not in it. */
  readonly approved: Inventory;
  /** Seconds without any progress after which something hangs. */
  readonly stuckAfter: number;
  /** Applications from whose objects finalizers are taken where these hang. */
  readonly unsafe: ReadonlySet<string>;
}

/** Applications that would make others again. */
export function parentsThatMake({ approved }: Pick<TeardownSpec, 'approved'>): Set<string> {
  const makers = approved.makers.filter(({ kind }) => kind === 'Application');
  return new Set(makers.map(({ name }) => name));
}

/** The scope, and every parent, in it or not. */
export function heldPlan(plan: Plan, spec: TeardownSpec): Plan {
  const { deployment } = spec;
  const own = plan.nodes.flatMap(({ application }) => application ?? []);
  const names = new Set([...own, ...parentsThatMake(spec)]);
  const nodes = deployment.nodes.filter(({ application }) => names.has(application ?? ''));
  return { ...deployment, nodes };
}

/** These, and whatever could make one again, as long as they are there: what is gone is not made again by itself. */
export function heldNames(
  spec: TeardownSpec,
  { last }: Pick<Watch, 'last'>,
  names: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const isThere = (name: string) =>
    spec.deployment.nodes.some(
      (node) => node.application === name && last(addressOf(node)) !== undefined,
    );
  return new Set([...names, ...parentsThatMake(spec)].filter(isThere));
}

/** What happens at a node of a teardown. `whole`: the teardown of the whole platform. */
export async function removeNode(
  parts: Pick<NodeParts, 'session' | 'node' | 'watch' | 'emit' | 'signal' | 'held'>,
  whole: Plan,
  spec: TeardownSpec,
  snapshots: ClaimSnapshots,
): Promise<NodeResult> {
  const { node, session } = parts;
  const { applications, at } = session.target;
  const approved = approvedFor(node, spec);
  const dependenciesReady = () => dependentsGone(node, whole, applications);
  const context = contextFor({ ...parts, dependenciesReady, freshMs: FRESH_MS });
  return await removeApplication(context, {
    ...approved,
    objects: at(approved.cluster).objects,
    prepare: () => snapshots.ensure(context),
  });
}

function approvedFor(node: PlanNode, { approved, stuckAfter, unsafe }: TeardownSpec) {
  const found = approved.applications.find(({ id }) => id === node.id);
  const servers = new Map(
    found?.finalizers.map(({ resource, servedBy }) => [renderResource(resource), servedBy]),
  );
  const cluster = found && seenCluster(found);
  // What is in a cluster that nobody looks at is Argo CD's word: elsewhere, objects of the same names are others.
  const seen = cluster === undefined ? [] : (found?.deletes ?? []);
  return {
    uid: found?.uid,
    cluster: cluster ?? '',
    resources: seen.filter(({ name }) => !name.endsWith('*')),
    servedBy: (resource: ResourceName) => servers.get(renderResource(resource)) ?? [],
    stuckAfter,
    unsafe: unsafe.has(node.application ?? ''),
  };
}

/** Asked right before a deletion is sent: somebody may have made one again. */
async function dependentsGone(
  node: PlanNode,
  whole: Plan,
  applications: Pick<ApplicationReads, 'get'>,
): Promise<void> {
  const dependents = dependentsOf(node, whole);
  const views = await Promise.all(dependents.map((one) => applications.get(addressOf(one))));
  const there = views.flatMap((view) => (view ? [view.name] : []));
  if (there.length === 0) return;
  const message = `${there.join(', ')} depends on it and is there`;
  throw new TiphysError([{ code: 'dependents-exist', message }]);
}

/** Those with an Application, directly or behind joins. In a teardown's plan a node waits for what depends on it. */
function dependentsOf(node: PlanNode, whole: Plan): PlanNode[] {
  const nodes = new Map(whole.nodes.map((one) => [one.id, one]));
  const seen = new Set(nodes.get(node.id)?.dependsOn ?? node.dependsOn);
  for (const id of seen) {
    const found = nodes.get(id);
    if (found?.application === null) for (const behind of found.dependsOn) seen.add(behind);
  }
  return [...seen].flatMap((id) => {
    const found = nodes.get(id);
    return found && found.application !== null ? [found] : [];
  });
}
