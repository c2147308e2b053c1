// The events of a run, as data. Every text, table, report and record is derived from these alone.

import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import type { Action } from '../plan/plan.ts';
import type { ResourceName } from '../ports/application-view.ts';
import type { Bypass, ForeignSync } from './foreign-sync.ts';
import type { Leftover } from './leftover.ts';
import type { StartedBy } from './started-by.ts';

export type Outcome = 'healthy' | 'unchanged' | 'failed' | 'skipped' | 'removed';

/** Its gate has opened. */
export const isThrough = (outcome: Outcome | undefined): boolean =>
  outcome === 'healthy' || outcome === 'unchanged';

/** The node of a cause if no node is to blame: the run was stopped. */
export const THE_RUN = 'run';

/** How a run ended: everything was done, or what ended it early. */
export type RunEnd = 'done' | 'interrupted' | 'time-up' | 'lost';

/** Why a node failed or was skipped. */
export interface Cause {
  /** The failed node: the node itself, or the first one up the chain if it was skipped. */
  readonly node: string;
  readonly message: string;
  readonly resource?: string | undefined;
  /** If the run itself is the cause: passed on from one of its processes to the others. */
  readonly end?: RunEnd | undefined;
}

export const TIME_UP = 'the run timed out';
const IN_PROGRESS = 'while it was in progress';

/** The message of a node that was in progress when its run ended. */
export const metByEnd = (why: string): string => `${why} ${IN_PROGRESS}; the next run resumes it`;

/** The node itself did not fail. */
export const isOfTheRun = ({ node, message }: Cause): boolean =>
  node === THE_RUN || message.includes(IN_PROGRESS);

/** The next attempt: when, and how many there can be. */
export interface Retry {
  readonly inSeconds: number;
  readonly attempts: number;
}

interface EventBase {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly run: string;
}

export interface Durations {
  /** Seconds: for dependencies and a free slot; for operations; for health; for the dwell. */
  readonly wait: number;
  readonly sync: number;
  readonly health: number;
  readonly dwell: number;
  /** Waiting for approval. */
  readonly approval?: number;
}

/** `cluster`: as destinations call it; absent: Argo CD's own. */
interface ObjectEvent {
  readonly resource: ResourceName;
  readonly cluster?: string;
}

/** What happens to the run as a whole: the fields of an event, by its type. */
interface RunFields {
  readonly 'run.started': {
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
    /** Absent: the record is of an older version. */
    readonly startedBy?: StartedBy;
  };
  /** `bypass`: a sync by another client, as data. */
  readonly 'run.warning': {
    readonly message: string;
    readonly node?: string;
    readonly bypass?: Bypass;
  };
  /** The run cannot start or continue. Not recorded if only an outside observer sees it. */
  readonly 'run.waiting': { readonly unmet: Unmet };
  /** `held`: names of the Applications that are held now. */
  readonly 'hold.changed': { readonly project: string; readonly held: readonly string[] };
  /** An object that belongs to no Application, at the end of a teardown. */
  readonly 'object.delete-requested': ObjectEvent;
  readonly 'object.removed': ObjectEvent;
  /** Found at the end of a teardown. */
  readonly 'object.left': Leftover;
  readonly 'run.finished': {
    readonly exitStatus: number;
    readonly reason?: string | undefined;
    readonly counts: Readonly<Record<Outcome, number>>;
    /** Nodes whose Applications are still on hold. */
    readonly held: readonly string[];
  };
}

/** What happens at a node. */
interface NodeFields {
  readonly 'node.started': { readonly application: string | null };
  /** `application`: of a generated member, which one of its Applications. */
  readonly 'node.sync-requested': {
    readonly operation: string;
    readonly attempt: number;
    readonly application?: string;
  };
  /** `uid`: of the Application. */
  readonly 'node.delete-requested': { readonly uid: string };
  readonly 'node.finalizers-removed': {
    readonly resource: ResourceName;
    readonly finalizers: readonly string[];
  };
  readonly 'node.snapshot-requested': { readonly claim: ResourceName; readonly name: string };
  readonly 'node.waiting': { readonly unmet: Unmet };
  readonly 'node.attempt-failed': {
    readonly attempt: number;
    readonly message: string;
    readonly resource?: string | undefined;
    /** Absent: there is none. */
    readonly retry?: Retry | undefined;
  };
  readonly 'gate.opened': { readonly evidence: Evidence | null };
  readonly 'gate.closed': { readonly unmet: Unmet };
  readonly 'node.finished': NodeEnd & {
    readonly durations: Durations;
    /** Of a generated member. */
    readonly members?: readonly MemberEnd[] | undefined;
  };
}

/** The result of a node. */
interface NodeEnd {
  readonly outcome: Outcome;
  readonly cause?: Cause | undefined;
  readonly attempts: number;
  readonly operations: readonly string[];
  readonly revisions: readonly string[];
  readonly repositories: readonly string[];
  /** The last sync before the node started, if another client requested it. */
  readonly syncedBy?: ForeignSync | undefined;
}

/** The result of one of the Applications of a generated member. */
export interface MemberEnd extends NodeEnd {
  readonly application: string;
  readonly evidence: Evidence | null;
}

type EventsOf<Fields, Base> = {
  readonly [T in keyof Fields]: Base & { readonly type: T } & Fields[T];
}[keyof Fields];

export type NodeEvent = EventsOf<NodeFields, EventBase & { readonly node: string }>;
export type RunEvent = EventsOf<RunFields, EventBase> | NodeEvent;
export type RunStarted = Extract<RunEvent, { readonly type: 'run.started' }>;
export type RunFinished = Extract<RunEvent, { readonly type: 'run.finished' }>;

/** An event without what every event has; the run adds that. */
export type EventBody =
  | EventsOf<RunFields, unknown>
  | EventsOf<NodeFields, { readonly node: string }>;
export type Emit = (event: EventBody) => void;
