// People's decisions at gates that ask for approval: one ConfigMap per Application, with everything in its annotations.
// They are input, like a plan: `tiphys approve` writes them with the approver's permissions, and a run only reads them.
import { createHash } from 'node:crypto';
import type { Decision } from '../../gate/decision.ts';
import { keyOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { StoredText, StoreReads } from '../../ports/record-store.ts';
import { LABEL } from '../record/chunk.ts';

const APPROVAL = ['tiphys.dev/approval', 'gate'] as const;
/** Identifies the gate: names of Applications can be longer than a label. */
const GATE = 'tiphys.dev/gate';

const PREFIX = 'tiphys.dev/';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Without a run, the decision counts for all runs. */
export interface ApprovalRequest {
  readonly platform: string;
  readonly node: PlanNode;
  readonly question: string;
  /** The state when the decision was made. */
  readonly application: ApplicationView;
  readonly decision: Decision;
  /** The active run; empty if there is none. */
  readonly run: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const gateOf = (node: PlanNode): string => hashOf(keyOf(node)).slice(0, 16);

const approvalName = (node: PlanNode): string => `tiphys-approval-${gateOf(node)}`;

/** What is deployed: independently of the commit in Git, this is what the last operation applied. */
export function deployedRevisions({ operationState, sync }: ApplicationView): readonly string[] {
  const applied = operationState?.phase === 'Succeeded' ? operationState.revisions : [];
  return applied.length > 0 ? applied : sync.revisions;
}

/** The subject of a decision. Another object, commit, spec (including Helm values) or question needs a new decision. */
function subjectOf(application: ApplicationView, question: string): string {
  const { uid, wanted } = application;
  return hashOf(JSON.stringify([uid, deployedRevisions(application), wanted, question]));
}

export function approvalText(request: ApprovalRequest): StoredText {
  const { platform, node, question, application, decision, run } = request;
  const { approved, by, at, reason } = decision;
  const said = {
    node: node.id,
    application: keyOf(node),
    question,
    decision: approved ? 'approved' : 'denied',
    by,
    at,
    ...(reason !== undefined && { reason }),
    ...(run !== '' && { run }),
    revisions: deployedRevisions(application).join(','),
    subject: subjectOf(application, question),
  };
  return {
    name: approvalName(node),
    labels: new Map([[LABEL.platform, platform], APPROVAL, [GATE, gateOf(node)]]),
    annotations: new Map(Object.entries(said).map(([key, value]) => [`${PREFIX}${key}`, value])),
    data: new Map(),
  };
}

/** The decision on what is deployed now. A denial counts for its own run only, so the next run asks again. */
export async function decisionOn(
  store: StoreReads,
  node: PlanNode,
  application: ApplicationView,
  run: string,
): Promise<Decision | undefined> {
  const stored = await store.list(new Map([APPROVAL, [GATE, gateOf(node)]]));
  return decisionIn(stored, node, application, run);
}

/** All decisions in the cluster, for callers that need several gates. */
export async function storedApprovals(store: StoreReads): Promise<readonly StoredText[]> {
  return await store.list(new Map([APPROVAL]));
}

/** The question of another platform file, if that approval covers what is deployed now. */
export function otherQuestion(
  stored: readonly StoredText[],
  node: PlanNode,
  application: ApplicationView,
): string | undefined {
  const found = stored.find(({ name }) => name === approvalName(node));
  const approval = found?.annotations.get(`${PREFIX}question`);
  if (approval === undefined || approval === node.gate.approval) return undefined;
  const asked = { ...node, gate: { ...node.gate, approval } };
  return decisionIn(stored, asked, application, '') && approval;
}

/** An incomplete decision does not count. */
export function decisionIn(
  stored: readonly StoredText[],
  node: PlanNode,
  application: ApplicationView,
  run: string,
): Decision | undefined {
  const found = stored.find(({ name }) => name === approvalName(node));
  const said = (key: string) => found?.annotations.get(`${PREFIX}${key}`) ?? '';
  const { approval: question } = node.gate;
  if (question === undefined || said('subject') !== subjectOf(application, question))
    return undefined;
  const [decision, by, at, reason] = ['decision', 'by', 'at', 'reason'].map(said);
  if (!by || !at || !TIME.test(at)) return undefined;
  if (decision === 'approved') return { approved: true, by, at };
  const isOfRun = run !== '' && said('run') === run;
  if (decision !== 'denied' || !isOfRun) return undefined;
  return { approved: false, by, at, ...(reason ? { reason } : {}) };
}
