// What people decided at gates that ask for approval: one ConfigMap for each Application, everything in its annotations. It is
// input, as a plan is: `tiphys approve` writes it with the rights of whoever approves, and a run only reads it.
import { createHash } from 'node:crypto';
import type { Decision } from '../../gate/decision.ts';
import { keyOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { StoredText, StoreReads } from '../../ports/record-store.ts';
import { LABEL } from '../record/chunk.ts';

const APPROVAL = ['tiphys.dev/approval', 'gate'] as const;
/** Which gate it is of: names of Applications can be longer than a label. */
const GATE = 'tiphys.dev/gate';

const PREFIX = 'tiphys.dev/';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Without a run, it counts for all of them. */
export interface ApprovalRequest {
  readonly platform: string;
  readonly node: PlanNode;
  readonly question: string;
  /** As it was when it was decided on. */
  readonly application: ApplicationView;
  readonly decision: Decision;
  /** The run that is active; empty where none is. */
  readonly run: string;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const gateOf = (node: PlanNode): string => hashOf(keyOf(node)).slice(0, 16);

const approvalName = (node: PlanNode): string => `tiphys-approval-${gateOf(node)}`;

/** What is deployed: at whatever commit Git is now, it is what the last operation applied. */
export function deployedRevisions({ operationState, sync }: ApplicationView): readonly string[] {
  const applied = operationState?.phase === 'Succeeded' ? operationState.revisions : [];
  return applied.length > 0 ? applied : sync.revisions;
}

/** What a decision is on. Another object, commit, spec (with the Helm values in it) or question needs another decision. */
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

/** On what is deployed now. A denial counts for its run alone, so that the next one asks again. */
export async function decisionOn(
  store: StoreReads,
  node: PlanNode,
  application: ApplicationView,
  run: string,
): Promise<Decision | undefined> {
  const stored = await store.list(new Map([APPROVAL, [GATE, gateOf(node)]]));
  return decisionIn(stored, node, application, run);
}

/** All that the cluster has, for whoever wants to know it of several gates. */
export async function storedApprovals(store: StoreReads): Promise<readonly StoredText[]> {
  return await store.list(new Map([APPROVAL]));
}

/** The question of another platform file, where what is deployed now is approved by it. */
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

/** What does not say everything that it should counts for nothing. */
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
