// Looking at nodes without doing anything to them: what a validation is made of, and the check of what a scope needs.

import type { Evidence } from '../../gate/evidence.ts';
import type { Unmet } from '../../gate/verdict.ts';
import { ALONE, deadlineIn, type LookContext } from '../../node/node-context.ts';
import { judgeAsItIs } from '../../node/observe.ts';
import { blame, judgeWithLive } from '../../node/pass-gate.ts';
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
}

export interface LookParts {
  readonly target: Pick<Cluster, 'applications' | 'store'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** Without it, what Argo CD saw last is judged, however old. */
  readonly refresh: boolean;
}

/** All of them, some at a time, in their order. */
export async function lookAtAll(nodes: readonly PlanNode[], parts: LookParts): Promise<Look[]> {
  return await mapConcurrently(nodes, parts, (node) => lookAt(node, parts).catch(asInterruption));
}

function asInterruption(error: unknown): never {
  throw error instanceof Abandoned ? interrupted() : error;
}

async function lookAt(node: PlanNode, parts: LookParts): Promise<Look> {
  const context = contextOf(node, parts);
  const first = await parts.target.applications.get(addressOf(node));
  if (!first) {
    const unmet = absent('Argo CD has no such Application');
    return { node, application: undefined, unmet, evidence: null };
  }
  const look = parts.refresh
    ? await judgeFresh(context, first, parts)
    : await judgeStored(context, first);
  return { node, ...look, unmet: look.unmet && (await blame(context, look.unmet)) };
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
  application: ApplicationView,
): Promise<Omit<Look, 'node'>> {
  const verdict = await judgeWithLive(context, deadlineIn(context, context.node.timeouts.sync), {
    application,
    uid: application.uid,
    settings: context.node.gate,
    operation: undefined,
    laterThan: -1,
    before: undefined,
    probe: 'unread',
  });
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
  nextChange: () => new Promise(() => {}),
  subscribe: () => () => {},
  follow: async () => undefined,
};
