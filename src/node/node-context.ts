// What a node program works with, and how it waits.
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

/** What looking at a node needs. */
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
  /** Given when everything must stop at once. */
  readonly signal: AbortSignal;
}

export interface NodeContext extends LookContext {
  readonly session: LookContext['session'] & { readonly target: Pick<Cluster, 'probes'> };
  /** Wait for the Lease and the signal. */
  readonly probeWrites: ProbeWrites;
  /** Each waits for the node's dependencies, the hold, the Lease and the signal. */
  readonly writes: Writes;
  /** Something is to be done or waited for here: whatever syncs by itself must be held from now on. */
  readonly ensureHold: () => Promise<void>;
  /** Until when the sync windows of others forbid a sync; undefined where they do not. */
  readonly blocked: () => Promise<{ readonly until: string } | undefined>;
  /** The same for one of the Applications that the node stands for: it waits for the same before it writes. */
  readonly forChild: (child: PlanNode) => NodeContext;
}

/** Where a node is on its way, as far as that counts for others. */
export type NodeStage = 'appearing' | 'waiting' | 'requested' | 'asking' | 'dwelling';

/** What the walk over the plan knows of a node's surroundings, and is told of the node. */
export interface NodeInWalk {
  /** Called when the node enters a stage. */
  readonly entered: (stage: NodeStage) => void;
  /** The parent whose Application makes the node's own; undefined where none is synced by this run. */
  readonly maker: Maker | undefined;
  /** For the open of a parent, where somebody watches its operation to the end. */
  readonly parent: ParentParts | undefined;
  /** False for an Application that a parent makes and the platform file does not have. */
  readonly isExpected: (application: string) => boolean;
  /** Given when nothing more is begun: what is in flight goes on, but nobody is waited for. */
  readonly stopping?: AbortSignal | undefined;
}

/** Where nobody walks: the node stands alone. */
export const ALONE: NodeInWalk = {
  entered: () => {},
  maker: undefined,
  parent: undefined,
  isExpected: () => true,
};

export interface Maker {
  /** Given when its open has ended. */
  readonly ended: AbortSignal;
  readonly failure: () => Cause | undefined;
  /** What it has made before, and waits for, though that depends on the node: neither can come. */
  readonly contradiction: () => string | undefined;
}

interface ParentParts {
  /** To be called when its operation is under way: its members may start. */
  readonly opened: () => void;
  /** Given when the operation need not be watched any more. */
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

/** Until the watch shows something new against what was read, at most until the deadline. True: it did. */
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
    // The watch is behind, or it is another object, or none: reading tells, but not as fast as one can read.
    await oneChange(context, Math.min(deadline, clock.monotonic() + BLIND_MS));
    return true;
  }
  if (isNews(last, seen)) {
    // What was read is older than what was seen before: a server that lags behind would answer the same again at once.
    await oneChange(context, Math.min(deadline, clock.monotonic() + BEHIND_MS));
    return true;
  }
  while (!isNews(watch.last(address), seen) && !isOver(context, deadline)) {
    await oneChange(context, deadline);
  }
  return isNews(watch.last(address), seen);
}

/** The same, but no longer than until this is given. False: it was. */
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
  enough.abort();
  if (signal.aborted) throw new Abandoned();
}

export async function sleep({ session, signal }: LookContext, ms: number): Promise<void> {
  await session.clock.sleep(ms, signal);
  if (signal.aborted) throw new Abandoned();
}

const RETRY_MS = 2_000;

/** Reads, and goes on trying while the cluster cannot be reached, until the deadline. */
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

/** The node's Application as it is now; undefined where there is none. */
export function readApplication(
  context: LookContext,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  const { applications } = context.session.target;
  return read(context, deadline, () => applications.get(addressOf(context.node)));
}

/** A comparison that is newer than the last one seen. */
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

/** Says what is waited for, once for each new reason. */
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
