// The context of a node program, and how it waits.
import { TiphysError } from '../errors.ts';
import type { Unmet } from '../gate/verdict.ts';
import { addressOf } from '../plan/node-address.ts';
import type { PlanNode } from '../plan/plan.ts';
import { type ApplicationView, isNews } from '../ports/application-view.ts';
import type { Watch } from '../ports/application-watch.ts';
import type { Clock } from '../ports/clock.ts';
import type { Cluster } from '../ports/target.ts';
import type { Cause, Emit } from '../run/events.ts';
import { Abandoned } from '../session/abandoned.ts';
import type { RunIdentity } from '../session/identity.ts';
import type { ProbeWrites } from '../session/writes/probe-writes.ts';
import type { Writes } from '../session/writes/writes.ts';

/** What a look at a node needs. */
export interface LookContext {
  readonly session: {
    readonly identity: RunIdentity;
    readonly clock: Clock;
    readonly target: Pick<Cluster, 'applications' | 'applicationSets' | 'store'>;
    readonly mayRunTwice: boolean;
  };
  readonly node: PlanNode;
  readonly watch: Watch;
  readonly emit: Emit;
  readonly walk: NodeInWalk;
  /** Fires when everything must stop immediately. */
  readonly signal: AbortSignal;
}

export interface NodeContext extends LookContext {
  readonly session: LookContext['session'] & {
    readonly target: Pick<Cluster, 'probes'>;
    /** These wait for the Lease and the signal. */
    readonly probeWrites: (signal: AbortSignal) => ProbeWrites;
  };
  readonly walk: NodeAtWork;
  /** Each of these waits for the node's dependencies, the hold, the Lease and the signal. */
  readonly writes: Writes;
  /** Until when sync windows forbid a sync; undefined if they do not. */
  readonly blocked: () => Promise<{ readonly until: string } | undefined>;
  /** The context for one of the Applications that the node represents: it waits for the same before it writes. */
  readonly forChild: (child: PlanNode) => NodeContext;
}

/** The stage of a node, as far as it matters to other nodes. */
export type NodeStage = 'appearing' | 'waiting' | 'requested' | 'asking' | 'dwelling';

/** What the walk over the plan knows about a node's surroundings, and what the node reports to it. */
export interface NodeInWalk {
  /** Called when the node enters a stage. */
  readonly entered: (stage: NodeStage) => void;
  /** The parent whose Application creates the node's Application; undefined if this run syncs none. */
  readonly maker: Maker | undefined;
  /** For the open node of a parent, if its operation is watched to the end. */
  readonly parent: ParentParts | undefined;
  /** False for an Application that a parent creates and the platform file does not have. */
  readonly isExpected: (application: string) => boolean;
  /** Fires when nothing more may start: operations in progress continue, but people are not waited for. */
  readonly stopping?: AbortSignal | undefined;
}

interface NodeAtWork extends NodeInWalk {
  /** The node has work to do: automated syncs must be on hold from now on. */
  readonly ensureHold: () => Promise<void>;
}

/** For a node outside a walk: it stands alone. */
export const ALONE: NodeInWalk = {
  entered: () => {},
  maker: undefined,
  parent: undefined,
  isExpected: () => true,
};

export interface Maker {
  /** Fires when its open node has ended. */
  readonly ended: AbortSignal;
  readonly failure: () => Cause | undefined;
  /**
   * An Application that the parent has already created and waits for, although it depends on this node: neither can
   * proceed.
   */
  readonly contradiction: () => string | undefined;
}

interface ParentParts {
  /** Called when its operation is in progress: its members may start. */
  readonly opened: () => void;
  /** Fires when the operation no longer needs to be watched. */
  readonly relieved: AbortSignal;
}

/** Monotonic milliseconds. */
export type Deadline = number;

export function deadlineIn({ session }: LookContext, seconds: number): Deadline {
  return session.clock.monotonic() + seconds * 1000;
}

export function isOver({ session }: LookContext, deadline: Deadline): boolean {
  return session.clock.monotonic() >= deadline;
}

/** Waits until the watch shows something newer than what was read, at most until the deadline. True: it did. */
export async function awaitNews(
  context: LookContext,
  seen: ApplicationView | undefined,
  deadline: Deadline,
): Promise<boolean> {
  const { session, watch, node } = context;
  const { clock } = session;
  const address = addressOf(node);
  const last = watch.last(address);
  if (last?.uid !== seen?.uid) {
    // The watch is behind, or shows another object or none: only reading tells, but not in a tight loop.
    await oneChange(context, Math.min(deadline, clock.monotonic() + BLIND_MS));
    return true;
  }
  if (isNews(last, seen)) {
    // The read is older than what was seen before: a lagging server would repeat the same answer immediately.
    await oneChange(context, Math.min(deadline, clock.monotonic() + BEHIND_MS));
    return true;
  }
  while (!isNews(watch.last(address), seen) && !isOver(context, deadline)) {
    await oneChange(context, deadline);
  }
  return isNews(watch.last(address), seen);
}

/** The same, but ends when this fires. False: it fired. */
export async function awaitNewsUnless(
  context: LookContext,
  given: AbortSignal,
  seen: ApplicationView | undefined,
  deadline: Deadline,
): Promise<boolean> {
  const { signal } = context;
  try {
    await awaitNews({ ...context, signal: AbortSignal.any([signal, given]) }, seen, deadline);
    return true;
  } catch (error) {
    if (!(error instanceof Abandoned) || signal.aborted) throw error;
    return false;
  }
}

const BLIND_MS = 2_000;
const BEHIND_MS = 1_000;

async function oneChange(context: LookContext, deadline: Deadline): Promise<void> {
  const { session, watch, node, signal } = context;
  const { clock } = session;
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const left = deadline - clock.monotonic();
  await Promise.race([watch.nextChange(addressOf(node), either), clock.sleep(left, either)]);
  enough.abort('enough');
  if (signal.aborted) throw new Abandoned();
}

export async function sleep({ session, signal }: LookContext, ms: number): Promise<void> {
  await session.clock.sleep(ms, signal);
  if (signal.aborted) throw new Abandoned();
}

const RETRY_MS = 2_000;

/** Reads, and retries while the cluster is unreachable, until the deadline. */
export async function read<T>(
  context: LookContext,
  deadline: Deadline,
  action: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      const passing = error instanceof TiphysError && error.isPassing;
      if (!passing || isOver(context, deadline)) throw error;
      await sleep(context, RETRY_MS);
    }
  }
}

/** The node's Application as it is now; undefined if there is none. */
export function readApplication(
  context: LookContext,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  const { applications } = context.session.target;
  return read(context, deadline, () => applications.get(addressOf(context.node)));
}

/** A comparison newer than the last one seen. */
export async function freshLook(
  context: LookContext,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  const { applications } = context.session.target;
  const address = addressOf(context.node);
  return await read(context, deadline, async () => {
    return (await applications.refresh(address)) ?? (await applications.get(address));
  });
}

/** Reports what is waited for, once for each new reason. */
export function reporter(
  { emit, node, walk }: LookContext,
  stage: 'appearing' | 'waiting' = 'waiting',
): (unmet: Unmet) => void {
  let last = '';
  return (unmet) => {
    const text = JSON.stringify(unmet);
    if (text === last) return;
    last = text;
    emit({ type: 'node.waiting', node: node.id, unmet });
    walk.entered(stage);
  };
}
