// Everything that happens in a run, as data. Every text, table, report and record is made from these and nothing else.

import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import type { Action } from '../plan/plan.ts';
import type { ResourceName } from '../ports/application-view.ts';
import type { Leftover } from './leftover.ts';

export type Outcome = 'healthy' | 'unchanged' | 'failed' | 'skipped' | 'removed';

/** Its gate has opened. */
export const isThrough = (outcome: Outcome | undefined): boolean =>
  outcome === 'healthy' || outcome === 'unchanged';

/** Stands as a cause's node where no node is to blame: the run was stopped. */
export const THE_RUN = 'run';

/** How a run came to its end: all was done, or what ended it before. */
export type RunEnd = 'done' | 'interrupted' | 'time-up' | 'lost';

/** Why a node failed or was skipped. */
export interface Cause {
  /** The node where it began: the node itself if it failed, the first one up the chain if it was skipped. */
  readonly node: string;
  readonly message: string;
  readonly resource?: string | undefined;
  /** Where the run itself is the cause, told by one process of it to the others. */
  readonly end?: RunEnd | undefined;
}

interface EventBase {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly run: string;
}

interface NodeEventBase extends EventBase {
  readonly node: string;
}

export interface RunStarted extends EventBase {
  readonly type: 'run.started';
  readonly action: Action;
  readonly platform: string;
  readonly plan: string;
  readonly engine: string;
  readonly scope: readonly string[];
  /** Nodes that this run will visit, and what is expected of their durations, in seconds. */
  readonly nodes: number;
  readonly expectedDuration: number;
  /** The run took over one that did not finish. */
  readonly resumed: boolean;
}

interface RunWarning extends EventBase {
  readonly type: 'run.warning';
  readonly message: string;
  readonly node?: string;
}

/** Nothing of the run can begin, or go on. What only those see who follow it from outside is in no record. */
interface RunWaiting extends EventBase {
  readonly type: 'run.waiting';
  readonly unmet: Unmet;
}

interface HoldChanged extends EventBase {
  readonly type: 'hold.changed';
  readonly project: string;
  /** Names of the Applications that are held now. */
  readonly held: readonly string[];
}

interface NodeStarted extends NodeEventBase {
  readonly type: 'node.started';
  readonly application: string | null;
}

interface SyncRequested extends NodeEventBase {
  readonly type: 'node.sync-requested';
  readonly operation: string;
  readonly attempt: number;
}

interface DeleteRequested extends NodeEventBase {
  readonly type: 'node.delete-requested';
  /** Of the Application. */
  readonly uid: string;
}

interface FinalizersRemoved extends NodeEventBase {
  readonly type: 'node.finalizers-removed';
  readonly resource: ResourceName;
  readonly finalizers: readonly string[];
}

interface SnapshotRequested extends NodeEventBase {
  readonly type: 'node.snapshot-requested';
  readonly claim: ResourceName;
  readonly name: string;
}

interface NodeWaiting extends NodeEventBase {
  readonly type: 'node.waiting';
  readonly unmet: Unmet;
}

interface AttemptFailed extends NodeEventBase {
  readonly type: 'node.attempt-failed';
  readonly attempt: number;
  readonly message: string;
  readonly resource?: string | undefined;
}

interface GateOpened extends NodeEventBase {
  readonly type: 'gate.opened';
  readonly evidence: Evidence | null;
}

interface GateClosed extends NodeEventBase {
  readonly type: 'gate.closed';
  readonly unmet: Unmet;
}

export interface Durations {
  /** Seconds: for dependencies and a free slot; for operations; for health; for the dwell. */
  readonly wait: number;
  readonly sync: number;
  readonly health: number;
  readonly dwell: number;
}

interface NodeFinished extends NodeEventBase {
  readonly type: 'node.finished';
  readonly outcome: Outcome;
  readonly cause?: Cause | undefined;
  readonly attempts: number;
  readonly operations: readonly string[];
  readonly revisions: readonly string[];
  readonly repositories: readonly string[];
  readonly durations: Durations;
}

export interface RunFinished extends EventBase {
  readonly type: 'run.finished';
  readonly exitStatus: number;
  readonly reason?: string | undefined;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Nodes whose Applications are still kept from syncing by themselves. */
  readonly held: readonly string[];
}

export type NodeEvent =
  | NodeStarted
  | SyncRequested
  | DeleteRequested
  | FinalizersRemoved
  | SnapshotRequested
  | NodeWaiting
  | AttemptFailed
  | GateOpened
  | GateClosed
  | NodeFinished;

/** Something that no Application has, at the end of a teardown. */
interface ObjectEvent extends EventBase {
  readonly type: 'object.delete-requested' | 'object.removed';
  readonly resource: ResourceName;
}

/** Found at the end of a teardown. */
interface ObjectLeft extends EventBase, Leftover {
  readonly type: 'object.left';
}

export type RunEvent =
  | RunStarted
  | RunWarning
  | RunWaiting
  | HoldChanged
  | ObjectEvent
  | ObjectLeft
  | RunFinished
  | NodeEvent;

/** An event without what every event has; the run adds that. */
export type EventBody = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, 'time' | 'run'>
    : never
  : never;
export type Emit = (event: EventBody) => void;
