// Looks at nodes without changing anything: the basis of validation, and of the check of a scope's dependencies.

import type { Evidence } from '../../gate/evidence.ts';
import type { Unmet } from '../../gate/verdict.ts';
import { blame, judgeWithLive } from '../../node/gate-look.ts';
import { type Judged, judgedOf, unmetOf } from '../../node/generated-members.ts';
import { asSeenLast } from '../../node/looks-done.ts';
import { ALONE, deadlineIn, type LookContext } from '../../node/node-context.ts';
import { judgeAsItIs } from '../../node/observe.ts';
import { selectGenerated, withoutNew } from '../../node/select-generated.ts';
import { childOf } from '../../plan/generated.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { interrupted } from '../../session/interrupted.ts';
import { mapConcurrently } from '../map-concurrently.ts';

export interface Look {
  readonly node: PlanNode;
  readonly application: ApplicationView | undefined;
  /** What keeps the gate shut; undefined: it is open. */
  readonly unmet: Unmet | undefined;
  readonly evidence: Evidence | null;
  /** For a generated member: its Applications. */
  readonly members?: readonly Look[];
}

/** The open gates, including those of a generated member's Applications. */
export const judgedIn = ({ node, evidence, members = [] }: Look): Judged[] =>
  judgedOf(
    node,
    evidence,
    members.map((one) => ({ application: one.node.application ?? '', evidence: one.evidence })),
  );

export interface LookParts {
  readonly target: Pick<Cluster, 'applications' | 'applicationSets' | 'store'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** If false, what Argo CD saw last is judged, however old. */
  readonly refresh: boolean;
  /** For a generated member, ignore Applications created after it was done. */
  readonly leavesOutNew?: boolean;
}

/** All of them, several concurrently, in order. */
export async function lookAtAll(nodes: readonly PlanNode[], parts: LookParts): Promise<Look[]> {
  return await mapConcurrently(nodes, parts, (node) => lookAt(node, parts).catch(asInterruption));
}

function asInterruption(error: unknown): never {
  throw error instanceof Abandoned ? interrupted() : error;
}

async function lookAt(node: PlanNode, parts: LookParts): Promise<Look> {
  if (node.generated) return await lookAtGenerated(node, parts);
  const context = contextOf(node, parts);
  const first = await parts.target.applications.get(addressOf(node));
  if (!first) {
    const unmet = absent('the Application does not exist in Argo CD');
    return { node, application: undefined, unmet, evidence: null };
  }
  const look = parts.refresh
    ? await judgeFresh(context, first, parts)
    : await judgeStored(context, first);
  return { node, ...look, unmet: look.unmet && (await blame(context, look.unmet)) };
}

/** As bad as the worst of its Applications. */
async function lookAtGenerated(node: PlanNode, parts: LookParts): Promise<Look> {
  const { views, wrong, waits } = await selectGenerated(node, parts.target);
  const known = parts.leavesOutNew ? withoutNew(node, views) : views;
  const children = known.map(({ name }) => childOf(node, name));
  const members = await mapConcurrently(children, parts, (child) => lookAt(child, parts));
  const shut = members.find(({ unmet }) => unmet !== undefined);
  const worst = shut?.unmet && unmetOf(shut.node.application ?? '', shut.unmet);
  const missing = wrong ?? waits;
  const unmet = missing === undefined ? worst : absent(missing);
  const application = missing === undefined ? (shut ?? members[0])?.application : undefined;
  return { node, application, unmet, evidence: null, members };
}

async function judgeFresh(
  context: LookContext,
  first: ApplicationView,
  parts: LookParts,
): Promise<Omit<Look, 'node'>> {
  const deadline = parts.clock.monotonic() + context.node.timeouts.sync * 1000;
  const observed = await judgeAsItIs(context, first, deadline);
  if (observed.kind === 'holds') {
    const { application, evidence } = observed;
    return { application, unmet: undefined, evidence };
  }
  const unmet = observed.kind === 'missing' ? absent(observed.message) : observed.unmet;
  const application = observed.kind === 'missing' ? undefined : observed.application;
  return { application, unmet, evidence: null };
}

const absent = (message: string): Unmet => ({ condition: 'exists', message });

async function judgeStored(
  context: LookContext,
  seen: ApplicationView,
): Promise<Omit<Look, 'node'>> {
  const input = asSeenLast(context.node, seen);
  const { application } = input;
  const deadline = deadlineIn(context, context.node.timeouts.sync);
  const verdict = await judgeWithLive(context, deadline, input);
  return verdict.open
    ? { application, unmet: undefined, evidence: verdict.evidence }
    : { application, unmet: verdict.unmet, evidence: null };
}

/** Nothing is written under it, so it belongs to no run. */
function contextOf(node: PlanNode, { target, clock, signal }: LookParts): LookContext {
  const identity = { id: '', platform: '', plan: '' };
  const session = { identity, clock, target, mayRunTwice: false };
  return { session, node, watch: NO_WATCH, emit: () => {}, walk: ALONE, signal };
}

const NO_WATCH: Watch = {
  last: () => undefined,
  all: () => [],
  nextChange: () => new Promise(() => {}),
  subscribe: () => () => {},
  follow: async () => undefined,
};
