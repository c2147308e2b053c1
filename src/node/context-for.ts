// Builds the context of a node program; every engine and process uses it.
import { addressOf } from '../plan/node-address.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ProjectWindow } from '../ports/app-projects.ts';
import type { Watch } from '../ports/application-watch.ts';
import type { SyncWindow } from '../ports/argocd-applications.ts';
import type { Emit } from '../run/events.ts';
import { blockedByOthers } from '../run/sync-windows.ts';
import type { Session } from '../session/session.ts';
import type { WriteGuards } from '../session/writes/writes.ts';
import { ALONE, type NodeContext, type NodeInWalk } from './node-context.ts';

export interface NodeParts extends WriteGuards {
  readonly session: Session;
  readonly node: PlanNode;
  readonly watch: Watch;
  readonly emit: Emit;
  readonly walk?: NodeInWalk;
  /** What else to wait for, besides the hold, before a write. */
  readonly ensureHold?: () => Promise<void>;
  /** Sync windows of the node's AppProject, with their time zones. */
  readonly projectWindows?: readonly ProjectWindow[] | undefined;
  /** The windows that apply to its Application now, if they were read in advance. */
  readonly syncWindows?: () => Promise<readonly SyncWindow[] | undefined>;
}

/** For a context that only looks: it allows no writes. */
export const onlyLooks = (): Promise<never> =>
  Promise.reject(new Error('A read-only context cannot start a write.'));

/** The windows of another Application are read again. */
const withoutWindows = ({ syncWindows: _, ...parts }: NodeParts): NodeParts => parts;

export function contextFor(parts: NodeParts): NodeContext {
  const { session, node, watch, emit, walk = ALONE, signal, held, projectWindows } = parts;
  const { applications } = session.target;
  const windows = async () =>
    (await parts.syncWindows?.()) ?? (await applications.syncWindows(addressOf(node)));
  return {
    session,
    node,
    watch,
    emit,
    walk: { ...walk, ensureHold: parts.ensureHold ?? held },
    signal,
    writes: session.writes(parts),
    blocked: async () => blockedByOthers(await windows(), session.clock.now(), projectWindows),
    forChild: (child) => contextFor({ ...withoutWindows(parts), node: child }),
  };
}
