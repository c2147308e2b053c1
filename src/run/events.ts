// Everything that happens in a run, as data. Every text, table, report and record is made from these and nothing else.

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

export const TIME_UP = "the run's time was up";
const IN_WORK = 'while it was in work';

/** Of a node that the end of its run has met. */
export const metByEnd = (why: string): string => `${why} ${IN_WORK}; the next run goes on with it`;

/** Nothing was the matter with the node itself. */
export const isOfTheRun = ({ node, message }: Cause): boolean =>
  node === THE_RUN || message.includes(IN_WORK);

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
  /** For people, where somebody had to approve. */
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
  /** `bypass`: what it says of a sync by somebody else, as data. */
  readonly 'run.warning': {
    readonly message: string;
    readonly node?: string;
    readonly bypass?: Bypass;
  };
  /** Nothing of the run can begin, or go on. What only those see who follow it from outside is in no record. */
  readonly 'run.waiting': { readonly unmet: Unmet };
  /** `held`: names of the Applications that are held now. */
  readonly 'hold.changed': { readonly project: string; readonly held: readonly string[] };
  /** Something that no Application has, at the end of a teardown. */
  readonly 'object.delete-requested': ObjectEvent;
  readonly 'object.removed': ObjectEvent;
  /** Found at the end of a teardown. */
  readonly 'object.left': Leftover;
  readonly 'run.finished': {
    readonly exitStatus: number;
    readonly reason?: string | undefined;
    readonly counts: Readonly<Record<Outcome, number>>;
    /** Nodes whose Applications are still kept from syncing by themselves. */
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
  };
  readonly 'gate.opened': { readonly evidence: Evidence | null };
  readonly 'gate.closed': { readonly unmet: Unmet };
  readonly 'node.finished': NodeEnd & {
    readonly durations: Durations;
    /** Of a generated member. */
    readonly members?: readonly MemberEnd[] | undefined;
  };
}

/** What came of a node. */
interface NodeEnd {
  readonly outcome: Outcome;
  readonly cause?: Cause | undefined;
  readonly attempts: number;
  readonly operations: readonly string[];
  readonly revisions: readonly string[];
  readonly repositories: readonly string[];
  /** The last sync that was found at its first look, where somebody else asked for it. */
  readonly syncedBy?: ForeignSync | undefined;
}

/** What came of one of the Applications that a generated member stands for. */
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
