// The progress of a node: the events on the way, and the result at the end.
import { TiphysError } from '../errors.ts';
import type { Evidence } from '../gate/evidence.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { Cause, Durations, MemberEnd, Outcome, Retry } from '../run/events.ts';
import { type ForeignSync, foreignSync } from '../run/foreign-sync.ts';
import type { Attempt } from '../session/identity.ts';
import type { NodeContext } from './node-context.ts';
import type { AttemptFailure } from './sync-operation.ts';

export interface NodeResult {
  readonly outcome: Outcome;
  readonly cause: Cause | undefined;
  readonly evidence: Evidence | null;
  readonly attempts: number;
  readonly operations: readonly string[];
  readonly revisions: readonly string[];
  readonly repositories: readonly string[];
  readonly durations: Omit<Durations, 'wait'>;
  readonly syncedBy?: ForeignSync | undefined;
  /** Of a generated member. */
  readonly members?: readonly MemberEnd[];
}

interface PassedGate {
  readonly evidence: Evidence;
  readonly dwellMs: number;
}

export class Progress {
  readonly #context: NodeContext;
  readonly #operations: string[] = [];
  #attempts = 0;
  #revisions: readonly string[] = [];
  #mark: number;
  #syncMs = 0;
  #healthMs = 0;
  #askedMs = 0;
  #syncedBy: ForeignSync | undefined;

  constructor(context: NodeContext) {
    this.#context = context;
    this.#mark = context.session.clock.monotonic();
  }

  /** At the first look, before any write. */
  found(application: ApplicationView): void {
    this.#syncedBy ??= foreignSync(application, this.#context.session.identity.platform);
  }

  syncing(operation: string, attempt: Attempt): void {
    this.#lap();
    this.#operations.push(operation);
    this.#attempts = attempt.number;
  }

  synced(revisions: readonly string[]): void {
    this.#syncMs += this.#lap();
    this.#revisions = revisions;
  }

  /** The total time in milliseconds that people were waited for. */
  asked(ms: number): void {
    this.#askedMs = ms;
  }

  superseded(): void {
    this.#healthMs += this.#lap();
  }

  attemptFailed(attempt: number, failure: AttemptFailure, retry?: Retry): void {
    this.#healthMs += this.#lap();
    const { message, resource } = failure;
    const node = this.#context.node.id;
    this.#context.emit({
      type: 'node.attempt-failed',
      node,
      attempt,
      message,
      resource,
      ...(retry && { retry }),
    });
  }

  unchanged(application: ApplicationView, evidence: Evidence): NodeResult {
    this.#revisions = evidence.revisions;
    return this.#result('unchanged', { evidence, application, dwellMs: 0 });
  }

  healthy(application: ApplicationView, passed: PassedGate): NodeResult {
    const { evidence, dwellMs } = passed;
    this.#healthMs += this.#lap() - dwellMs;
    this.#revisions = evidence.revisions;
    return this.#result('healthy', { evidence, application, dwellMs });
  }

  /** A parent whose children can appear. Its gate is judged later. */
  opened(application: ApplicationView): NodeResult {
    const outcome = this.#operations.length > 0 ? 'healthy' : 'unchanged';
    return this.#result(outcome, { evidence: null, application, dwellMs: 0 });
  }

  /** The program's result; an error is the node's failure, unless the run was told to quit. */
  async endOf(program: () => Promise<NodeResult>): Promise<NodeResult> {
    try {
      return await program();
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      return this.fail({ message: error.message });
    }
  }

  /** Its Application does not exist; the cause may be another node's failure. */
  missing({ message, cause }: { message: string; cause?: Cause | undefined }): NodeResult {
    if (!cause) return this.fail({ message });
    return { ...this.#result('skipped', { evidence: null, dwellMs: 0 }), cause };
  }

  fail({ message, resource }: { message: string; resource?: string | undefined }): NodeResult {
    const cause = { node: this.#context.node.id, message, resource };
    return { ...this.#result('failed', { evidence: null, dwellMs: 0 }), cause };
  }

  #result(
    outcome: Outcome,
    end: { evidence: Evidence | null; application?: ApplicationView; dwellMs: number },
  ): NodeResult {
    return {
      outcome,
      cause: undefined,
      evidence: end.evidence,
      attempts: this.#attempts,
      operations: this.#operations,
      revisions: this.#revisions,
      repositories: end.application?.repositories ?? [],
      ...(this.#syncedBy && { syncedBy: this.#syncedBy }),
      durations: {
        sync: seconds(this.#syncMs),
        // Estimates use these durations: the time that people take says nothing about the application.
        health: seconds(Math.max(0, this.#healthMs - this.#askedMs)),
        dwell: seconds(end.dwellMs),
        ...(this.#askedMs > 0 && { approval: seconds(this.#askedMs) }),
      },
    };
  }

  /** Milliseconds since the last call. */
  #lap(): number {
    const now = this.#context.session.clock.monotonic();
    const passed = now - this.#mark;
    this.#mark = now;
    return passed;
  }
}

/** To the millisecond. */
function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
