// The one way to what a node program works with, in every engine and process.
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
  /** Where more is to be waited for than the hold, before something is begun. */
  readonly ensureHold?: () => Promise<void>;
  /** Windows of the node's AppProject, which name their time zones. */
  readonly projectWindows?: readonly ProjectWindow[] | undefined;
  /** Those that apply to its Application now, where they were asked for ahead. */
  readonly syncWindows?: () => Promise<readonly SyncWindow[] | undefined>;
}

/** Of a context that only looks: nothing is begun through it. */
export const onlyLooks = (): Promise<never> =>
  Promise.reject(new Error('A context that only looks cannot begin a write.'));

/** Those of another Application are asked for anew. */
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
    walk,
    signal,
    writes: session.writes(parts),
    probeWrites: session.probeWrites(signal),
    ensureHold: parts.ensureHold ?? held,
    blocked: async () => blockedByOthers(await windows(), session.clock.now(), projectWindows),
    forChild: (child) => contextFor({ ...withoutWindows(parts), node: child }),
  };
}
