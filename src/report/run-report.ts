// The report at the end of a run, as data.

import { unanswered } from '../gate/decision.ts';
import type { Evidence } from '../gate/evidence.ts';
import { API_VERSION } from '../model/api-version.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { Cause, Durations, MemberEnd, Outcome } from '../run/events.ts';
import type { Bypass } from '../run/foreign-sync.ts';
import type { Leftover } from '../run/leftover.ts';
import type { NodeProgress, RunState } from '../run/run-state.ts';
import type { StartedBy } from '../run/started-by.ts';
import type { Where } from './where.ts';

export interface ReportNode {
  readonly id: string;
  readonly outcome: Outcome;
  readonly cause: Cause | null;
  readonly attempts: number;
  readonly operations: readonly string[];
  readonly revisions: readonly string[];
  readonly durations: Durations;
  readonly evidence: Evidence | null;
  /** Of a generated member: what came of each of its Applications. */
  readonly members?: readonly MemberEnd[];
}

export interface Report {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Report';
  readonly action: Plan['action'];
  readonly platform: string;
  /** Absent: a simulated cluster, or it was not read. */
  readonly where?: Where | undefined;
  readonly run: string;
  readonly plan: string;
  readonly scope: readonly string[];
  readonly startedAt: string;
  /** Absent: its record does not say it. */
  readonly startedBy?: StartedBy;
  readonly finishedAt: string;
  readonly exitStatus: number;
  readonly reason: string | null;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly held: readonly string[];
  readonly warnings: readonly string[];
  /** Syncs by other clients that began before dependencies were Healthy. Absent: none is known. */
  readonly bypasses?: readonly Bypass[];
  /** Of a teardown: remaining objects, announced or not. */
  readonly leftovers?: readonly Leftover[];
  /** In the order of the plan. Joins are left out. */
  readonly nodes: readonly ReportNode[];
}

/** What a report needs to know of a plan. */
interface Reported extends Pick<Plan, 'action' | 'platform' | 'hash' | 'scope'> {
  readonly nodes: readonly Pick<PlanNode, 'id' | 'application'>[];
}

/** For readers that may have another plan than the run had: another scope, or files that have changed since. */
export function reportOfRecord(plan: Plan, state: RunState): Report {
  const { started, nodes } = state;
  if (!started || started.plan === plan.hash) return reportOf(plan, state);
  const { action, platform, plan: hash, scope } = started;
  const known = new Set(plan.nodes.map(({ id }) => id));
  const visited = plan.nodes.filter(({ id }) => nodes.has(id));
  const others = [...nodes.values()].filter(({ id }) => !known.has(id));
  return reportOf({ action, platform, hash, scope, nodes: [...visited, ...others] }, state);
}

export function reportOf(plan: Reported, state: RunState): Report {
  const { started, finished, nodes, warnings, bypasses, leftovers } = state;
  const reported = plan.nodes.filter(({ application }) => application !== null);
  return {
    apiVersion: API_VERSION,
    kind: 'Report',
    action: plan.action,
    platform: plan.platform,
    run: started?.run ?? '',
    plan: plan.hash,
    scope: plan.scope,
    startedAt: started?.time ?? '',
    ...(started?.startedBy && { startedBy: started.startedBy }),
    finishedAt: finished?.time ?? '',
    exitStatus: finished?.exitStatus ?? 1,
    reason: finished?.reason ?? null,
    counts: finished?.counts ?? { healthy: 0, unchanged: 0, failed: 0, skipped: 0, removed: 0 },
    held: finished?.held ?? [],
    warnings,
    ...(bypasses.length > 0 && { bypasses }),
    ...(plan.action === 'teardown' ? { leftovers } : {}),
    nodes: reported.map(({ id }): ReportNode => {
      const node = nodes.get(id);
      return {
        id,
        outcome: node?.outcome ?? 'skipped',
        cause: causeOf(node),
        attempts: node?.attempts ?? 0,
        operations: node?.operations ?? [],
        revisions: node?.revisions ?? [],
        durations: node?.durations ?? { wait: 0, sync: 0, health: 0, dwell: 0 },
        evidence: node?.evidence ?? null,
        ...(node?.members && { members: node.members }),
      };
    }),
  };
}

function causeOf(node: NodeProgress | undefined): Cause | null {
  const { cause, unmet } = node ?? {};
  if (!cause || !unmet) return cause ?? null;
  return { ...cause, message: unanswered(unmet.message, cause.message) };
}
