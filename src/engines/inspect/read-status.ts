// Collects the status of a platform: Lease, record, hold and what Argo CD saw last.
import { API_VERSION } from '../../model/api-version.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import { probeTarget } from '../../model/probe.ts';
import { childOf, selectedOf, tooFew } from '../../plan/generated.ts';
import { keyOf, namespacesOf, viewsByKey } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { ProjectView } from '../../ports/app-projects.ts';
import { type ApplicationView, ageOf, HYDRATED } from '../../ports/application-view.ts';
import { expiryWarning, type TokenLife } from '../../ports/argocd-token.ts';
import { isTried } from '../../ports/argocd-version.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoredText } from '../../ports/record-store.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Status, StatusNode, StatusToken } from '../../report/platform-status.ts';
import { lastBreakGlass } from '../../run/break-glass.ts';
import { foreignSync } from '../../run/foreign-sync.ts';
import { decisionIn, storedApprovals } from '../../session/approvals/approval.ts';
import { heldApplications } from '../../session/hold/held.ts';
import { leaseName } from '../../session/lease/lease-data.ts';
import { lastOf, listRuns, type RunSummary } from '../../session/record/history.ts';
import { readProjects } from '../check-cluster.ts';
import { type ActiveRun, namedRun } from './active-run.ts';
import { membersOf } from './decide-gate.ts';
import { isSelectedBy, requireSelected } from './selected.ts';

type Readable = Pick<
  Cluster,
  'namespace' | 'applications' | 'projects' | 'leases' | 'store' | 'argocdVersion' | 'tokenLives'
>;

export async function statusOf(
  plan: Plan,
  target: Readable,
  clock: Clock,
  selector?: LabelSelector,
): Promise<Status> {
  const asks = plan.nodes.some(({ gate }) => gate.approval !== undefined);
  const [lease, runs, holds, listed, version, tokens, approvals, { projects }] = await Promise.all([
    target.leases.get(leaseName(plan.platform)),
    listRuns(target.store, plan.platform),
    heldApplications(plan, target),
    target.applications.list(namespacesOf(plan)),
    target.argocdVersion(),
    target.tokenLives(),
    asks ? storedApprovals(target.store) : [],
    readProjects(plan.nodes, target),
  ]);
  const views = viewsByKey(listed);
  const rows = (node: PlanNode) => rowsOf(node, listed, views.get(keyOf(node)));
  const isGood = (node: PlanNode) => rows(node).every(({ view }) => looksGood(view));
  const now = Math.floor(clock.now() / 1000);
  const named = namedRun(lease, clock);
  const active = named?.isActive ? activeStatus(named, runs) : null;
  const last = lastOf(runs, lease);
  const run = active?.run ?? last?.run ?? '';
  const shown = plan.nodes.filter(
    ({ application, kind }) => application !== null && kind !== 'open',
  );
  const chosen = requireSelected(
    selector,
    shown.flatMap(rows).filter(({ view }) => isSelectedBy(selector, view)),
  );
  const owners = new Set(chosen.map(({ owner }) => owner));
  const held = holds.map(({ id }) => id).filter((id) => !selector || owners.has(id));
  return {
    apiVersion: API_VERSION,
    kind: 'Status',
    platform: plan.platform,
    ...(selector && { selector: selector.text }),
    argocd: {
      ...{ version, isTried: isTried(version) },
      tokens: tokens.map((one) => statusToken(one, now)),
    },
    active,
    lastRun: last ?? null,
    held,
    nodes: chosen.map(({ node, owner, view, none }): StatusNode => {
      return {
        id: node.id,
        sync: view?.sync.status ?? none,
        health: view?.health.status ?? none,
        age: ageOf(view, clock.now()),
        held: held.includes(owner),
        warning: view?.hydrated ? HYDRATED : null,
        ...(node.gate.probe && { probe: { target: probeTarget(node.gate.probe) } }),
        ...syncedBy(node.generated ? undefined : view, plan.platform, projects),
        ...approvalOf(node, view, approvals, run, () => membersOf(node, plan).every(isGood)),
      };
    }),
  };
}

function activeStatus({ run, holder }: ActiveRun, runs: readonly RunSummary[]): Status['active'] {
  const starter = runs.find((one) => one.run === run)?.startedBy;
  return { run, holder, ...(starter && { startedBy: starter }) };
}

function syncedBy(
  view: ApplicationView | undefined,
  platform: string,
  projects: ReadonlyMap<string, ProjectView>,
): Pick<StatusNode, 'syncedBy' | 'breakGlass'> {
  const sync = view && foreignSync(view, platform);
  const before = view && lastBreakGlass(view, projects.get(view.project));
  const isSame = sync?.by === before?.by && sync?.at === before?.at;
  return {
    ...(sync && { syncedBy: sync }),
    ...(before && !isSame && { breakGlass: before }),
  };
}

function statusToken(life: TokenLife, now: number): StatusToken {
  const { secret = null, expires } = life;
  const at = expires === undefined ? null : new Date(expires * 1000).toISOString();
  return { secret, expires: at, warning: expiryWarning(life, now) ?? null };
}

interface Row {
  readonly node: PlanNode;
  /** The id of the node that holds it. */
  readonly owner: string;
  readonly view: ApplicationView | undefined;
  /** What is shown without a view. */
  readonly none: string;
}

/** For a generated member: one for itself, as bad as the worst, and one for each of its Applications. */
function rowsOf(
  node: PlanNode,
  listed: readonly ApplicationView[],
  view: ApplicationView | undefined,
): Row[] {
  const own = { node, owner: node.id };
  if (!node.generated) return [{ ...own, view, none: 'Missing' }];
  const all = selectedOf(node, listed);
  const isShort = tooFew(node, all.length) !== undefined;
  const worst = all.find((one) => !looksGood(one)) ?? all[0];
  return [
    { ...own, view: isShort ? undefined : worst, none: isShort ? 'Missing' : 'None' },
    ...all.map((one) => ({ ...own, node: childOf(node, one.name), view: one, none: 'Missing' })),
  ];
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
