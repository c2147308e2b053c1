// What a deployment would do now, from what Argo CD saw last. Read-only: it does not even request a refresh.
import { API_VERSION } from '../../model/api-version.ts';
import { childOf, selectedOf, tooFew } from '../../plan/generated.ts';
import { keyOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { type ApplicationView, ageOf } from '../../ports/application-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoredText } from '../../ports/record-store.ts';
import type { Cluster } from '../../ports/target.ts';
import type { DryRun, DryRunNode } from '../../report/dry-run-report.ts';
import { decisionIn, storedApprovals } from '../../session/approvals/approval.ts';
import { requireClusterName } from '../../session/cluster-name.ts';
import { runActive } from '../../session/lease/outlive.ts';
import { type Checkable, checkCluster } from '../check-cluster.ts';
import { activeRun, unlessForbidden } from './active-run.ts';
import type { LookParts } from './look.ts';
import { requireHealthy } from './required-gates.ts';

interface Parts extends Omit<LookParts, 'refresh'> {
  readonly target: Checkable & LookParts['target'] & Pick<Cluster, 'leases'>;
  /** Whether Argo CD compares what the scope depends on with Git first; false unless it is said. */
  readonly refresh?: boolean;
  /** For a run that is active, instead of being refused. */
  readonly waits?: boolean | undefined;
  /** What the environment file calls the cluster; undefined: nothing. */
  readonly clusterName?: string | undefined;
}

/**
 * Throws the errors that would refuse the deployment, as far as what Argo CD saw last shows them. `whole` has the nodes
 * that the plan leaves out.
 */
export async function dryRun(plan: Plan, whole: Plan, parts: Parts): Promise<DryRun> {
  const { target, clock, clusterName } = parts;
  await requireClusterName(clusterName, target);
  const active = parts.waits
    ? undefined
    : await activeRun(plan.platform, target, clock).catch(unlessForbidden);
  if (active) throw runActive(active, plan.platform);
  const { applications, unexpected } = await checkCluster(plan, target);
  await requireHealthy(plan, whole, { ...parts, refresh: parts.refresh ?? false });
  const shown = plan.nodes.filter(
    ({ application, kind }) => application !== null && kind !== 'close',
  );
  const asks = shown.some(({ gate }) => gate.approval !== undefined);
  const approvals = asks ? await storedApprovals(target.store) : [];
  const nodes = shown.flatMap((node) =>
    node.generated
      ? generatedRows(node, applications, clock)
      : [nodeOf(node, applications.get(keyOf(node)), approvals, clock)],
  );
  const writes = nodes.some(({ would }) => would !== 'leave');
  const automated = shown.filter(
    (node) => node.generated || applications.get(keyOf(node))?.automated !== undefined,
  );
  const held = new Set(automated.map(({ argocd }) => argocd?.project ?? ''));
  return {
    apiVersion: API_VERSION,
    kind: 'DryRun',
    platform: plan.platform,
    plan: plan.hash,
    nodes,
    holds: writes ? [...held].sort() : [],
    unexpected: unexpected.map(({ name }) => name).sort(),
  };
}

/** One for each of its Applications, and one for itself while some are missing. */
function generatedRows(
  node: PlanNode,
  applications: ReadonlyMap<string, ApplicationView>,
  clock: Clock,
): DryRunNode[] {
  const views = selectedOf(node, applications.values());
  const reason = tooFew(node, views.length);
  const own = { id: node.id, would: 'wait-for-parent', age: null } as const;
  return [
    ...(reason === undefined ? [] : [{ ...own, reason }]),
    ...views.map((view) => nodeOf(childOf(node, view.name), view, [], clock)),
  ];
}

function nodeOf(
  node: PlanNode,
  view: ApplicationView | undefined,
  approvals: readonly StoredText[],
  clock: Clock,
): DryRunNode {
  if (!view) {
    const reason = 'its Application does not exist yet';
    return { id: node.id, would: 'wait-for-parent', reason, age: null };
  }
  const age = ageOf(view, clock.now());
  const good = view.sync.status === 'Synced' && view.health.status === 'Healthy';
  // A sync may deploy something else, which needs a new approval.
  const isApproved = good && decisionIn(approvals, node, view, '') !== undefined;
  const asks = node.gate.approval === undefined || isApproved ? '' : '; needs approval';
  const probes = node.gate.probe === undefined ? '' : '; runs a probe';
  const reason = `${view.sync.status}, ${view.health.status}${asks}${probes}`;
  return { id: node.id, would: good ? 'leave' : 'sync', reason, age };
}
