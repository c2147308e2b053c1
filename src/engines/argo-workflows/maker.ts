// The parent that makes the Application of a node, seen from a process that does not watch over its operation: what the watch
// shows of it. As long as it is at work, and something that it makes is, or people are asked, a later sync wave may bring the node.
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
  /** Given when the node is done. */
  readonly signal: AbortSignal;
}

const LOOK_AGAIN_MS = 10_000;

/** Undefined where the plan syncs no parent of it. */
export function seenMaker(parts: Parts): Maker | undefined {
  const makers = makersOf(parts.plan);
  const [maker] = makers(parts.node);
  if (!maker) return undefined;
  const isMadeToo = (one: PlanNode) =>
    one.application !== null && makers(one).includes(maker) && one.id !== parts.node.id;
  let ended: AbortController | undefined;
  return {
    /** Nobody follows it before that is asked for: most Applications are there at the first look. */
    get ended() {
      if (!ended) {
        ended = new AbortController();
        void follow(maker, parts.plan.nodes.filter(isMadeToo), parts, ended);
      }
      return ended.signal;
    },
    failure: () => failureOf(maker, parts),
    // Which dependencies wait for which is known to no process alone.
    contradiction: () => undefined,
  };
}

/**
 * Until its operation has ended; or nothing else that it makes was at work, and nobody was asked, for so long as one sync
 * may take.
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

/** Somebody is asked, wherever that is: what the maker makes may wait for it through nodes that it does not make. */
async function isAsking({ plan, watch, store, identity }: Parts): Promise<boolean> {
  const ready = plan.nodes.flatMap((node) => {
    const application = isAskedFor(node) ? watch.last(addressOf(node)) : undefined;
    return application && holdsOtherwise(node, application) ? [{ node, application }] : [];
  });
  if (ready.length === 0) return false;
  // As long as nobody knows of an answer, there may be none.
  const stored = await storedApprovals(store).catch(() => []);
  return ready.some(
    ({ node, application }) => decisionIn(stored, node, application, identity.id) === undefined,
  );
}

const isAskedFor = ({ kind, gate }: PlanNode): boolean =>
  kind !== 'open' && gate.approval !== undefined;

/** Everything but the answer is there, as far as the watch shows. */
function holdsOtherwise({ gate }: PlanNode, application: ApplicationView): boolean {
  const { uid } = application;
  const seen = { application, uid, settings: gate, operation: undefined, before: undefined };
  return judge({ ...seen, laterThan: -1, live: [], decision: 'unread', probe: 'unread' }).open;
}

/** What was before this run says nothing: the watch may be behind. */
function failureOf(maker: PlanNode, { watch, identity }: Parts): Cause | undefined {
  const view = watch.last(addressOf(maker));
  const state = view?.operationState;
  if (!view || view.operation || !state || !ownAttempt(identity, maker.id, view)) return undefined;
  if (state.phase !== 'Failed' && state.phase !== 'Error') return undefined;
  return { node: maker.id, message: `the operation ended as ${state.phase}: ${state.message}` };
}
