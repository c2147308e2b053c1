// The parent that creates the Application of a node, seen from a process that does not watch its operation: what the watch
// shows of it. While the parent's operation runs and something else that it creates is in progress, or people are asked, a
// later sync wave may create the node's Application.
import { judge } from '../../gate/gate.ts';
import type { Maker } from '../../node/node-context.ts';
import { makersOf } from '../../plan/makers.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoreReads } from '../../ports/record-store.ts';
import type { Cause } from '../../run/events.ts';
import { decisionIn, storedApprovals } from '../../session/approvals/approval.ts';
import { viewsOf } from '../../session/hold/own-operations.ts';
import { ownAttempt, type RunIdentity } from '../../session/identity.ts';

interface Parts {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly watch: Watch;
  readonly store: StoreReads;
  readonly clock: Clock;
  readonly identity: RunIdentity;
  /** Fires when the node is done. */
  readonly signal: AbortSignal;
}

const LOOK_AGAIN_MS = 10_000;

/** Undefined if the plan syncs no parent of it. */
export function seenMaker(parts: Parts): Maker | undefined {
  const makers = makersOf(parts.plan);
  const [maker] = makers(parts.node);
  if (!maker) return undefined;
  const isMadeToo = (one: PlanNode) =>
    one.application !== null && makers(one).includes(maker) && one.id !== parts.node.id;
  let ended: AbortController | undefined;
  return {
    /** Followed only on demand: most Applications exist at the first look. */
    get ended() {
      if (!ended) {
        ended = new AbortController();
        void follow(maker, parts.plan.nodes.filter(isMadeToo), parts, ended);
      }
      return ended.signal;
    },
    failure: () => failureOf(maker, parts),
    // Which dependencies wait for which is unknown to a single process.
    contradiction: () => undefined,
  };
}

/**
 * Waits until its operation has ended; or until nothing else that it creates was in progress, and no person was asked, for
 * the time of one sync.
 */
async function follow(
  maker: PlanNode,
  others: readonly PlanNode[],
  parts: Parts,
  ended: AbortController,
): Promise<void> {
  const { watch, clock, node, signal } = parts;
  const address = addressOf(maker);
  let active = clock.monotonic();
  for (;;) {
    const isBusy = others.some((other) => isAtWork(other, watch)) || (await isAsking(parts));
    if (isBusy) active = clock.monotonic();
    // No await between this look and the wait for a change: a change in between would be missed.
    if (signal.aborted || !watch.last(address)?.operation) break;
    if (clock.monotonic() - active >= node.timeouts.sync * 1000) break;
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    await Promise.race([watch.nextChange(address, either), clock.sleep(LOOK_AGAIN_MS, either)]);
    enough.abort();
  }
  ended.abort();
}

const isAtWork = (node: PlanNode, watch: Watch): boolean =>
  viewsOf(node, watch).some(
    ({ operation, health }) => operation !== undefined || health.status === 'Progressing',
  );

/** A person is asked anywhere: what the parent creates may wait for that through nodes that it does not create. */
async function isAsking({ plan, watch, store, identity }: Parts): Promise<boolean> {
  const ready = plan.nodes.flatMap((node) => {
    const application = isAskedFor(node) ? watch.last(addressOf(node)) : undefined;
    return application && holdsOtherwise(node, application) ? [{ node, application }] : [];
  });
  if (ready.length === 0) return false;
  // While no decision can be read, there may be none.
  const stored = await storedApprovals(store).catch(() => []);
  return ready.some(
    ({ node, application }) => decisionIn(stored, node, application, identity.id) === undefined,
  );
}

const isAskedFor = ({ kind, gate }: PlanNode): boolean =>
  kind !== 'open' && gate.approval !== undefined;

/** Everything except the decision is there, according to the watch. */
function holdsOtherwise({ gate }: PlanNode, application: ApplicationView): boolean {
  const { uid } = application;
  const seen = { application, uid, settings: gate, operation: undefined, before: undefined };
  return judge({ ...seen, laterThan: -1, live: [], decision: 'unread', probe: 'unread' }).open;
}

/** States from before this run prove nothing: the watch may be behind. */
function failureOf(maker: PlanNode, { watch, identity }: Parts): Cause | undefined {
  const view = watch.last(addressOf(maker));
  const state = view?.operationState;
  if (!view || view.operation || !state || !ownAttempt(identity, maker.id, view)) return undefined;
  if (state.phase !== 'Failed' && state.phase !== 'Error') return undefined;
  return { node: maker.id, message: `the operation ended as ${state.phase}: ${state.message}` };
}
