// A run as its events tell it so far. Progress, report, status and explain are all made from this.

import type { Evidence } from '../gate/evidence.ts';
import type { Unmet } from '../gate/verdict.ts';
import {
  type Cause,
  type Durations,
  isOfTheRun,
  type MemberEnd,
  type NodeEvent,
  type Outcome,
  type Retry,
  type RunEvent,
  type RunFinished,
  type RunStarted,
} from './events.ts';
import type { Bypass, ForeignSync } from './foreign-sync.ts';
import { isoTime } from './iso-time.ts';
import type { Leftover } from './leftover.ts';

export interface NodeProgress {
  readonly id: string;
  readonly application: string | null;
  readonly phase: 'running' | 'finished';
  readonly startedAt?: string | undefined;
  /** What keeps its gate shut; of one that has finished, only the approval that was missing when the run ended. */
  readonly unmet?: Unmet | undefined;
  /** Since when it waits for that. */
  readonly unmetSince?: string | undefined;
  /** The attempt that it waits for. */
  readonly retryAt?: string | undefined;
  /** How many attempts there can be; unknown before one failed. */
  readonly attemptsMax?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly cause?: Cause | undefined;
  readonly attempts: number;
  readonly operations: readonly string[];
  readonly revisions: readonly string[];
  readonly repositories: readonly string[];
  readonly durations?: Durations | undefined;
  /** When its gate opened first. */
  readonly openedAt?: string | undefined;
  readonly evidence: Evidence | null;
  readonly syncedBy?: ForeignSync | undefined;
  /** Of a generated member, once it has ended. */
  readonly members?: readonly MemberEnd[] | undefined;
  readonly failures: readonly { readonly attempt: number; readonly message: string }[];
}

export interface RunState {
  readonly started: RunStarted | undefined;
  readonly finished: RunFinished | undefined;
  readonly nodes: ReadonlyMap<string, NodeProgress>;
  readonly held: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly string[];
  readonly bypasses: readonly Bypass[];
  /** At the end of a teardown. */
  readonly leftovers: readonly Leftover[];
}

/** A run that continues another one has that one's record before its own. */
export function sinceItStarted(events: readonly RunEvent[]): readonly RunEvent[] {
  const begin = events.findLastIndex(({ type }) => type === 'run.started');
  return events.slice(Math.max(0, begin));
}

/** Takes events in, one after the other, and gives the state they add up to. */
export class RunFold {
  #started: RunStarted | undefined;
  #finished: RunFinished | undefined;
  readonly #nodes = new Map<string, NodeProgress>();
  readonly #held = new Map<string, readonly string[]>();
  readonly #warnings: string[] = [];
  readonly #bypasses: Bypass[] = [];
  readonly #leftovers: Leftover[] = [];

  add(event: RunEvent): void {
    switch (event.type) {
      case 'run.started':
        this.#started = event;
        break;
      case 'run.finished':
        this.#finished = event;
        break;
      case 'run.warning':
        this.#warnings.push(event.message);
        if (event.bypass) this.#bypasses.push(event.bypass);
        break;
      case 'hold.changed':
        this.#held.set(event.project, event.held);
        break;
      case 'run.waiting':
      case 'object.delete-requested':
      case 'object.removed':
        break;
      case 'object.left': {
        const { resource, cluster, why, announced, command } = event;
        const where = cluster === undefined ? {} : { cluster };
        this.#leftovers.push({ resource, ...where, why, announced, command });
        break;
      }
      default:
        this.#nodes.set(event.node, next(this.#nodes.get(event.node) ?? unseen(event.node), event));
    }
  }

  get state(): RunState {
    return {
      started: this.#started,
      finished: this.#finished,
      nodes: this.#nodes,
      held: this.#held,
      warnings: this.#warnings,
      bypasses: this.#bypasses,
      leftovers: this.#leftovers,
    };
  }
}

const awaiting = (time: string, { inSeconds, attempts }: Retry): Partial<NodeProgress> => ({
  retryAt: isoTime(Date.parse(time) + inSeconds * 1000),
  attemptsMax: attempts,
  unmet: undefined,
});

function unseen(id: string): NodeProgress {
  return {
    id,
    application: null,
    phase: 'running',
    attempts: 0,
    operations: [],
    revisions: [],
    repositories: [],
    evidence: null,
    failures: [],
  };
}

function next(node: NodeProgress, event: NodeEvent): NodeProgress {
  switch (event.type) {
    case 'node.started':
      return { ...node, application: event.application, startedAt: event.time };
    case 'node.sync-requested':
      return { ...node, attempts: event.attempt, unmet: undefined, retryAt: undefined };
    case 'node.delete-requested':
    case 'node.finalizers-removed':
    case 'node.snapshot-requested':
      return { ...node, unmet: undefined };
    case 'node.waiting':
    case 'gate.closed':
      return { ...node, unmet: event.unmet, unmetSince: event.time };
    case 'node.attempt-failed': {
      const { attempt, message, retry } = event;
      const failures = [...node.failures, { attempt, message }];
      return { ...node, failures, ...(retry && awaiting(event.time, retry)) };
    }
    case 'gate.opened': {
      const openedAt = node.openedAt ?? event.time;
      return { ...node, openedAt, evidence: event.evidence, unmet: undefined };
    }
    case 'node.finished': {
      const { outcome, cause, operations, revisions, repositories, durations } = event;
      // One that its run gave up has tried all the same.
      const attempts = Math.max(node.attempts, event.attempts);
      const end = { outcome, cause, attempts, operations, revisions, repositories, durations };
      // An approval was pending when the run ended.
      const isAsking = cause && isOfTheRun(cause) && node.unmet?.condition === 'approved';
      const unmet = isAsking ? node.unmet : undefined;
      // One that fell after its gate has ended twice.
      const members = event.members ?? node.members;
      const syncedBy = event.syncedBy ?? node.syncedBy;
      const kept = { ...(members && { members }), ...(syncedBy && { syncedBy }) };
      return { ...node, ...end, phase: 'finished', unmet, ...kept };
    }
  }
}
