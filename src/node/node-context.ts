// What a node program works with, and how it waits.
import { TiphysError } from '../errors.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import type { PlanNode } from '../plan/plan.ts';
import { type ApplicationView, isNews } from '../ports/application-view.ts';
import type { Watch } from '../ports/application-watch.ts';
import type { Applications, SyncWindow } from '../ports/argocd-applications.ts';
import type { Clock } from '../ports/clock.ts';
import type { Cause, Emit } from '../run/events.ts';
import type { Unmet } from '../run/verdict.ts';
import { Abandoned } from '../session/abandoned.ts';
import type { RunIdentity } from '../session/identity.ts';

export interface NodeContext {
  readonly run: RunIdentity;
  readonly node: PlanNode;
  /** The node that operations are named after: a parent's close goes on with the operation of its open. */
  readonly operationNode: string;
  readonly address: ApplicationAddress;
  readonly applications: Applications;
  readonly watch: Watch;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Resolves when a write may be sent: the run must own the platform for longer than the write can take. */
  readonly permit: () => Promise<void>;
  /** Resolves when the gates of everything that the node depends on are open; throws once one has failed. */
  readonly ready: () => Promise<void>;
  /** The parent whose Application makes the node's own; undefined where none is synced by this run. */
  readonly maker: Maker | undefined;
  /** For the open of a parent, where somebody watches its operation to the end. */
  readonly parent: ParentParts | undefined;
  /** False for an Application that a parent makes and the platform file does not have. */
  readonly isExpected: (application: string) => boolean;
  /** Another process may be at the same node: one that was given up for lost can live on. */
  readonly hasTwins?: boolean;
  /** Something is to be done or waited for here: whatever syncs by itself must be held from now on. */
  readonly claim: () => Promise<void>;
  /** Until when the windows of others forbid a sync, or undefined where they do not. */
  readonly blocked: (windows: readonly SyncWindow[]) => { readonly until: string } | undefined;
  /** Given when everything must stop at once. */
  readonly signal: AbortSignal;
}

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

export function deadlineIn({ clock }: NodeContext, seconds: number): Deadline {
  return clock.monotonic() + seconds * 1000;
}

export function isOver({ clock }: NodeContext, deadline: Deadline): boolean {
  return clock.monotonic() >= deadline;
}

/** Until the watch shows something new against what was read, at most until the deadline. True: it did. */
export async function awaitNews(
  context: NodeContext,
  seen: ApplicationView | undefined,
  deadline: Deadline,
): Promise<boolean> {
  const { clock, watch, address } = context;
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
  context: NodeContext,
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

async function oneChange(context: NodeContext, deadline: Deadline): Promise<void> {
  const { clock, watch, address, signal } = context;
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const left = deadline - clock.monotonic();
  await Promise.race([watch.nextChange(address, either), clock.sleep(left, either)]);
  enough.abort();
  if (signal.aborted) throw new Abandoned();
}

export async function sleep({ clock, signal }: NodeContext, ms: number): Promise<void> {
  await clock.sleep(ms, signal);
  if (signal.aborted) throw new Abandoned();
}

const RETRY_MS = 2_000;

/** Reads, and goes on trying while the cluster cannot be reached, until the deadline. */
export async function read<T>(
  context: NodeContext,
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

/** A comparison that is newer than the last one seen. */
export async function freshLook(
  context: NodeContext,
  deadline: Deadline,
): Promise<ApplicationView | undefined> {
  const { applications, address } = context;
  return await read(context, deadline, async () => {
    return (await applications.refresh(address)) ?? (await applications.get(address));
  });
}

/** Says what is waited for, once for each new reason. */
export function reporter({ emit, node }: NodeContext): (unmet: Unmet) => void {
  let last = '';
  return (unmet) => {
    const text = JSON.stringify(unmet);
    if (text !== last) emit({ type: 'node.waiting', node: node.id, unmet });
    last = text;
  };
}
