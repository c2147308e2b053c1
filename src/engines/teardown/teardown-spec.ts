// What a teardown carries out, node by node, in every engine: what was approved, and nothing else.
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
  /** The deployment of the whole platform: the hold uses its names. */
  readonly deployment: Plan;
  /** The approved inventory. Nothing is deleted that is not in it. */
  readonly approved: Inventory;
  /** Seconds without progress after which a deletion counts as stuck. */
  readonly stuckAfter: number;
  /** Applications whose stuck objects lose their finalizers. */
  readonly unsafe: ReadonlySet<string>;
}

/** Applications that would recreate others. */
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

/** These, and everything that could recreate one, while they exist: a deleted one is not recreated automatically. */
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

/** The program of a teardown node. `whole`: the teardown of the whole platform. */
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
  // In a cluster that is not read, Argo CD is trusted: elsewhere, objects of the same names are different ones.
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

/** Checked right before a deletion is sent: a dependent may have been recreated. */
async function dependentsGone(
  node: PlanNode,
  whole: Plan,
  applications: Pick<ApplicationReads, 'get'>,
): Promise<void> {
  const dependents = dependentsOf(node, whole);
  const views = await Promise.all(dependents.map((one) => applications.get(addressOf(one))));
  const there = views.flatMap((view) => (view ? [view.name] : []));
  if (there.length === 0) return;
  const message = `${there.join(', ')} depends on it and still exists`;
  throw new TiphysError([{ code: 'dependents-exist', message }]);
}

/** Those with an Application, directly or behind joins. In a teardown's plan a node waits for its dependents. */
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
