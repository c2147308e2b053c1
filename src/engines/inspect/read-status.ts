// Gathers where a platform stands: Lease, record, hold and what Argo CD saw last.
import { API_VERSION } from '../../model/api-version.ts';
import { probeTarget } from '../../model/probe.ts';
import { keyOf, namespacesOf, viewsByKey } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { type ApplicationView, HYDRATED } from '../../ports/application-view.ts';
import { isTried } from '../../ports/argocd-version.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoredText } from '../../ports/record-store.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Status, StatusNode } from '../../report/platform-status.ts';
import { decisionIn, storedApprovals } from '../../session/approvals/approval.ts';
import { heldApplications } from '../../session/hold/held.ts';
import { isFree, leaseName, runOf } from '../../session/lease/lease-data.ts';
import { listRuns } from '../../session/record/history.ts';
import { membersOf } from './decide-gate.ts';

type Readable = Pick<
  Cluster,
  'namespace' | 'applications' | 'projects' | 'leases' | 'store' | 'argocdVersion'
>;

export async function statusOf(plan: Plan, target: Readable, clock: Clock): Promise<Status> {
  const asks = plan.nodes.some(({ gate }) => gate.approval !== undefined);
  const [lease, runs, holds, listed, version, approvals] = await Promise.all([
    target.leases.get(leaseName(plan.platform)),
    listRuns(target.store, plan.platform),
    heldApplications(plan, target),
    target.applications.list(namespacesOf(plan)),
    target.argocdVersion(),
    asks ? storedApprovals(target.store) : [],
  ]);
  const held = holds.map(({ id }) => id);
  const views = viewsByKey(listed);
  const isGood = (node: PlanNode) => looksGood(views.get(keyOf(node)));
  const now = Math.floor(clock.now() / 1000);
  const active =
    lease && !isFree(lease) ? { run: runOf(lease)?.run ?? '', holder: lease.holder } : null;
  const run = active?.run ?? runs[0]?.run ?? '';
  const shown = plan.nodes.filter(
    ({ application, kind }) => application !== null && kind !== 'open',
  );
  return {
    apiVersion: API_VERSION,
    kind: 'Status',
    platform: plan.platform,
    argocd: { version, isTried: isTried(version) },
    active,
    lastRun: runs[0] ?? null,
    held,
    nodes: shown.map((node): StatusNode => {
      const view = views.get(keyOf(node));
      return {
        id: node.id,
        sync: view?.sync.status ?? 'Missing',
        health: view?.health.status ?? 'Missing',
        age: view?.reconciledAt === undefined ? null : now - view.reconciledAt,
        held: held.includes(node.id),
        warning: view?.hydrated ? HYDRATED : null,
        ...(node.gate.probe && { probe: { target: probeTarget(node.gate.probe) } }),
        ...approvalOf(node, view, approvals, run, () => membersOf(node, plan).every(isGood)),
      };
    }),
  };
}

const looksGood = (view: ApplicationView | undefined): boolean =>
  view?.sync.status === 'Synced' && view.health.status === 'Healthy';

function approvalOf(
  node: PlanNode,
  view: ApplicationView | undefined,
  stored: readonly StoredText[],
  run: string,
  areMembersGood: () => boolean,
): Pick<StatusNode, 'approval'> {
  const { approval: question } = node.gate;
  if (question === undefined) return {};
  const decision = view && decisionIn(stored, node, view, run);
  if (decision) {
    return { approval: { question, state: decision.approved ? 'approved' : 'denied', decision } };
  }
  const isReady = looksGood(view) && areMembersGood();
  return { approval: { question, state: isReady ? 'awaited' : 'later' } };
}
