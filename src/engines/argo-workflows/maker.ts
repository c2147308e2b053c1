// The parent that makes the Application of a node, seen from a process that does not watch over its operation: what the watch
// shows of it. As long as it is at work, and something that it makes is, a later sync wave may bring the node.
import type { Maker } from '../../node/node-context.ts';
import { makersOf } from '../../plan/makers.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cause } from '../../run/events.ts';
import { ownAttempt, type RunIdentity } from '../../session/identity.ts';

interface Parts {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly watch: Watch;
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

/** Until its operation has ended; or nothing else that it makes was at work for so long as one sync may take. */
async function follow(
  maker: PlanNode,
  others: readonly PlanNode[],
  { watch, clock, node, signal }: Parts,
  ended: AbortController,
): Promise<void> {
  const address = addressOf(maker);
  let active = clock.monotonic();
  while (!signal.aborted && watch.last(address)?.operation) {
    if (others.some((other) => isAtWork(other, watch))) active = clock.monotonic();
    if (clock.monotonic() - active >= node.timeouts.sync * 1000) break;
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    await Promise.race([watch.nextChange(address, either), clock.sleep(LOOK_AGAIN_MS, either)]);
    enough.abort();
  }
  ended.abort();
}

function isAtWork(node: PlanNode, watch: Watch): boolean {
  const view = watch.last(addressOf(node));
  return (
    view !== undefined && (view.operation !== undefined || view.health.status === 'Progressing')
  );
}

/** What was before this run says nothing: the watch may be behind. */
function failureOf(maker: PlanNode, { watch, identity }: Parts): Cause | undefined {
  const view = watch.last(addressOf(maker));
  const state = view?.operationState;
  if (!view || view.operation || !state || !ownAttempt(identity, maker.id, view)) return undefined;
  if (state.phase !== 'Failed' && state.phase !== 'Error') return undefined;
  return { node: maker.id, message: `the operation ended as ${state.phase}: ${state.message}` };
}
