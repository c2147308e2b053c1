// A person's decision at a gate with approval: its subject, whether a run waits for it, and who decides.
import { type ErrorCode, TiphysError, usageError } from '../../errors.ts';
import { traitsOf } from '../../gate/conditions.ts';
import type { Decision } from '../../gate/decision.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { quote } from '../../model/names.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { openIdOf, shortName } from '../../plan/platform-graph.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Decided } from '../../report/decided.ts';
import { isoTime } from '../../run/iso-time.ts';
import {
  approvalText,
  decisionIn,
  deployedRevisions,
  otherQuestion,
  storedApprovals,
} from '../../session/approvals/approval.ts';
import { leaseName } from '../../session/lease/lease-data.ts';
import { writeApproval } from '../../session/writes/approval-writes.ts';
import { namedRun } from './active-run.ts';
import { type Look, type LookParts, lookAtAll } from './look.ts';

export interface DecideRequest extends Pick<LookParts, 'clock' | 'signal'> {
  readonly target: Cluster;
  readonly plan: Plan;
  /** Of the plan. */
  readonly id: string;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** The requested run; undefined: the active one. */
  readonly run: string | undefined;
}

export async function decideGate(request: DecideRequest): Promise<Decided> {
  const { plan, approved, reason, target, clock } = request;
  const [node, question] = gateOf(request);
  const active = await activeRun(request);
  const { run } = active;
  const { application, before } = await lookAtGate(node, request);
  const stored = await storedApprovals(target.store);
  const other = otherQuestion(stored, node, application);
  if (approved && other !== undefined) throw ofAnotherQuestion(node, question, other);
  const last = before ?? decisionIn(stored, node, application, run);
  const known = {
    ...({ apiVersion: API_VERSION, kind: 'Approval', node: node.id, question, ...active } as const),
    revisions: deployedRevisions(application),
    before: other === undefined ? stateOf(last) : 'another-question',
  } as const;
  if (before && approved) return { ...known, decision: before, isNew: false };
  if (!approved && !before && other === undefined && run === '') throw nothingToDeny(node);
  const decision = { approved, by: await target.whoAmI(), at: isoTime(clock.now()), reason };
  // A denial revokes the stored approval: a run that asks with this file's question keeps waiting.
  const decided = { ...known, question: other ?? question, decision };
  const { platform } = plan;
  await writeApproval(target, approvalText({ ...decided, platform, node, application }));
  return { ...decided, isNew: true };
}

function stateOf(decision: Decision | undefined): 'approved' | 'denied' | null {
  if (!decision) return null;
  return decision.approved ? 'approved' : 'denied';
}

/** Throws if the gate has no approval. */
export function gateOf({
  plan,
  id,
}: Pick<DecideRequest, 'plan' | 'id'>): readonly [PlanNode, string] {
  const node = plan.nodes.find((one) => one.id === id);
  const question = node?.gate.approval;
  if (node && question !== undefined) return [node, question];
  const asking = plan.nodes.filter(({ gate }) => gate.approval !== undefined);
  const names = asking.map((one) => shortName(one.id)).join(', ');
  throw usageError(
    `${quote(shortName(id))} has no \`gate.approval\`, so it needs no approval.`,
    names === ''
      ? 'No gate of the platform needs approval.'
      : `Gates that need approval: ${names}.`,
  );
}

async function activeRun(request: DecideRequest): Promise<Pick<Decided, 'run' | 'isAlive'>> {
  const { plan, target, clock, run: wanted } = request;
  const named = namedRun(await target.leases.get(leaseName(plan.platform)), clock);
  // One that was killed counts: the run that resumes it has its id, and asks again.
  const active = named?.holder ? named.run : '';
  const isAlive = named?.isActive ?? false;
  if (wanted === undefined || wanted === active) return { run: active, isAlive };
  const message = `Run ${quote(wanted)} is not active.`;
  const hint =
    active === ''
      ? 'No run is active. Omit --run to approve for the next one.'
      : `The active run is ${active}.`;
  throw new TiphysError([{ code: 'run-unknown', message, hint }]);
}

/** Every other condition must hold, for a stack also those of its members: only healthy applications can be approved. */
async function lookAtGate(node: PlanNode, { plan, target, clock, signal }: DecideRequest) {
  const parts = { target, clock, signal, concurrency: plan.concurrency };
  const nodes = [...membersOf(node, plan), node];
  const isShut = (one: Look) =>
    one.unmet && (one.node !== node || one.unmet.condition !== 'approved');
  const stored = await lookAtAll(nodes, { ...parts, refresh: false });
  // Waits for a pending comparison by Argo CD.
  const isLate = stored.some(
    (one) => one.unmet && traitsOf(one.unmet.condition).learnt === 'asked',
  );
  const looks =
    stored.some(isShut) && isLate ? await lookAtAll(nodes, { ...parts, refresh: true }) : stored;
  const { application, evidence } = looks.at(-1) as Look;
  const shut = looks.find(isShut);
  if (application && !shut) return { application, before: evidence?.approval };
  const whose = shut && shut.node !== node ? `${shortName(shut.node.id)}: ` : '';
  const why = `${whose}${shut?.unmet?.message ?? 'it is not there'}`;
  throw error(
    'approval-not-awaited',
    `${quote(shortName(node.id))} is not ready for approval: ${why}.`,
    `Approve it once it is Healthy; see \`tiphys explain ${shortName(node.id)}\`.`,
  );
}

/** Everything with a gate inside a stack, including nested stacks: the nodes between its open and its close. */
export function membersOf(close: PlanNode, plan: Plan): PlanNode[] {
  if (close.kind !== 'close') return [];
  const inside = new Set([openIdOf(close)]);
  for (const { id, dependsOn } of plan.nodes) {
    if (dependsOn.some((other) => inside.has(other))) inside.add(id);
  }
  const before = new Set(close.dependsOn);
  const nodes = new Map(plan.nodes.map((one) => [one.id, one]));
  for (const id of before) for (const other of nodes.get(id)?.dependsOn ?? []) before.add(other);
  return plan.nodes.filter(
    ({ id, kind, application }) =>
      inside.has(id) && before.has(id) && kind !== 'open' && application !== null,
  );
}

function nothingToDeny({ id }: PlanNode): TiphysError {
  return error(
    'approval-not-awaited',
    `No run waits for ${quote(shortName(id))}: no run is active, and it is not approved.`,
    'A denial counts for the run that waits for it. Deny it while a run waits.',
  );
}

function ofAnotherQuestion({ id }: PlanNode, question: string, other: string): TiphysError {
  const name = shortName(id);
  return error(
    'approval-of-another-question',
    `${quote(name)} is already approved with another question: ${quote(other)}, not ${quote(question)}.`,
    `Use the platform file with that question. If the question has changed, revoke that approval first: \`tiphys approve ${name} --deny\`.`,
  );
}

const error = (code: ErrorCode, message: string, hint: string): TiphysError =>
  new TiphysError([{ code, message, hint }]);
