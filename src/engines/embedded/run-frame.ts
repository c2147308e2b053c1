// What surrounds the nodes of a run in this process, for deploy and teardown: a session, and the reasons to end early.
import { TiphysError } from '../../errors.ts';
import { looksDone } from '../../node/looks-done.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { type Report, reportOf } from '../../report/run-report.ts';
import { countsOf } from '../../report/tally.ts';
import { type Emit, type RunEnd, TIME_UP } from '../../run/events.ts';
import type { StartedBy } from '../../run/started-by.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { type AcquireRequest, acquireSession } from '../../session/open-session.ts';
import type { HoldRequest, Session } from '../../session/session.ts';
import { onAbort } from './on-abort.ts';

/** `holder`: host, process id and a random part. */
export interface RunRequest
  extends Pick<
    AcquireRequest,
    'plan' | 'target' | 'clock' | 'runId' | 'holder' | 'listen' | 'onWait'
  > {
  readonly concurrency: number;
  /** For the record; undefined: not determined. */
  readonly startedBy?: StartedBy;
  /** What the environment file calls the cluster; undefined: nothing. */
  readonly clusterName?: string | undefined;
  /** Fires once: start nothing more, finish operations in progress. */
  readonly stop: AbortSignal;
  /** Fires when everything must end immediately. */
  readonly abort: AbortSignal;
}

/** Walks through the nodes of a plan. */
interface Walk {
  readonly run: (abandoned: Promise<void>) => Promise<void>;
  /** Starts nothing more; operations in progress continue to their end. */
  readonly stop: (reason: string) => void;
  /** The results of the nodes so far. */
  readonly judge?: (end: JudgeEnd) => Promise<void>;
}

/** What the end of a walk is judged with: its events are ignored once the run continues without it. */
export interface JudgeEnd {
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** After an abort: the time for work in progress to notice, and for the end as a whole. */
const NODES_MS = 2_000;
const ALL_MS = 4_500;

/** `basis`: the hash of the plan. Only a run with the same hash resumes an unfinished run under its id. */
export async function asOneRun(
  request: RunRequest,
  basis: string,
  run: (frame: RunFrame) => Promise<void>,
): Promise<Report> {
  const { stop, abort, plan } = request;
  const signal = AbortSignal.any([stop, abort]);
  const { session } = await acquireSession({ ...request, basis, isShared: false, signal });
  const frame = new RunFrame(request, session);
  try {
    await run(frame);
    return reportOf(plan, session.state);
  } finally {
    await frame.close();
  }
}

export class RunFrame {
  readonly session: Session;
  readonly #request: RunRequest;
  readonly #closed = new AbortController();
  readonly #timeUp = new AbortController();
  /** The nodes are done: the run's timeout no longer counts. */
  readonly #walked = new AbortController();
  /** The run was aborted, and its time is over. */
  readonly #over: Promise<void>;
  #hold: RunHold | undefined;
  #walk: Walk | undefined;
  #end: RunEnd = 'done';
  #reason: string | undefined;
  #isFinished = false;

  constructor(request: RunRequest, session: Session) {
    this.#request = request;
    this.session = session;
    this.#over = this.#after(request.abort, ALL_MS);
  }

  /** How the run ends, as far as known. */
  get end(): RunEnd {
    return this.#end;
  }

  /** The run's timeout starts here. */
  begin(): void {
    const { plan, clock, stop, abort, startedBy } = this.#request;
    const { lost } = this.session;
    this.session.begin(plan, 'embedded', startedBy);
    onAbort(lost, () => this.#halt('lost', reasonOf(lost)));
    for (const asked of [stop, abort])
      onAbort(asked, () => this.#halt('interrupted', 'interrupted'));
    void clock.sleep(plan.runTimeout * 1000, this.#walked.signal).then(() => {
      if (this.#walked.signal.aborted) return;
      const trouble = this.#hold?.trouble;
      this.#halt('time-up', `${TIME_UP}${trouble ? `; ${trouble}` : ''}`);
      this.#timeUp.abort();
    });
  }

  holdOn(watch: Watch, parts: Omit<HoldRequest, 'watch' | 'looksDone' | 'stop'>): RunHold {
    this.#hold = this.session.holdOn({ ...parts, watch, looksDone, stop: this.#ending });
    return this.#hold;
  }

  /** Nothing more starts, for any reason. */
  get #ending(): AbortSignal {
    const { stop, abort } = this.#request;
    return AbortSignal.any([stop, abort, this.#timeUp.signal]);
  }

  /** What comes before the nodes. False: there was a reason to end first. `signal`: nothing more starts. */
  async prepare(task: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const signal = this.#ending;
    try {
      const abandoned = this.#after(signal, NODES_MS);
      return await Promise.race([task(signal).then(() => true), abandoned.then(() => false)]);
    } catch (error) {
      if (error instanceof Abandoned || this.#timeUp.signal.aborted) return false;
      throw error;
    }
  }

  /**
   * Walks through the nodes, to the end or until there is a reason to stop; if there was none, judges them again. The
   * signal ends everything immediately.
   */
  async through(walkOver: (signal: AbortSignal) => Walk): Promise<void> {
    const signal = AbortSignal.any([this.#request.abort, this.session.lost, this.#timeUp.signal]);
    const walk = walkOver(signal);
    this.#walk = walk;
    if (this.#end !== 'done') walk.stop(this.#reason ?? '');
    await walk.run(this.#after(signal, NODES_MS));
    if (this.#end === 'done')
      await this.#judge(walk, AbortSignal.any([signal, this.#request.stop]));
    this.#walked.abort();
  }

  async #judge(walk: Walk, signal: AbortSignal): Promise<void> {
    let isOver = false;
    const emit: Emit = (event) => {
      if (!isOver) this.session.emit(event);
    };
    await Promise.race([walk.judge?.({ signal, emit }), this.#after(signal, NODES_MS)]);
    isOver = true;
  }

  /** Writes pending changes of the hold. A lost hold ends the run; completed work stays. */
  async settle(): Promise<void> {
    try {
      await this.inTime(this.#hold?.settle() ?? Promise.resolve());
    } catch (error) {
      this.#ends('lost', String(error));
    }
  }

  /** Undefined: the run was aborted, and there was no time left. The next run finds the rest. */
  async inTime<T>(task: Promise<T>): Promise<T | undefined> {
    return await Promise.race([task, this.#over.then(() => undefined)]);
  }

  finish(exitStatus: number, held: readonly string[]): void {
    const counts = countsOf(this.#request.plan, this.session.state.nodes);
    this.#isFinished = this.#end === 'done';
    this.session.emit({ type: 'run.finished', exitStatus, reason: this.#reason, counts, held });
  }

  async close(): Promise<void> {
    this.#walked.abort();
    try {
      await this.inTime(this.session.close());
      await this.inTime(this.session.release({ finished: this.#isFinished }));
    } finally {
      this.#closed.abort();
    }
  }

  async #after(signal: AbortSignal, ms: number): Promise<void> {
    await new Promise<void>((resolve) => onAbort(signal, resolve));
    await this.#request.clock.sleep(ms, this.#closed.signal);
  }

  #halt(end: RunEnd, reason: string): void {
    this.#ends(end, reason);
    this.#walk?.stop(reason);
  }

  #ends(end: RunEnd, reason: string): void {
    if (this.#end === 'done') [this.#end, this.#reason] = [end, reason];
  }
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof TiphysError ? signal.reason.message : String(signal.reason);
}
