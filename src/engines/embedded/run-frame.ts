// What a run in this process has around its nodes, whatever it does to them: a session of its own, and the reasons to end
// before all is done.
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

/** `holder`: host, process id and something random. */
export interface RunRequest
  extends Pick<AcquireRequest, 'plan' | 'target' | 'clock' | 'runId' | 'holder' | 'listen'> {
  readonly concurrency: number;
  /** For the record; undefined: nobody asked. */
  readonly startedBy?: StartedBy;
  /** Given once: start nothing more, finish what is in flight. */
  readonly stop: AbortSignal;
  /** Given when everything must end at once. */
  readonly abort: AbortSignal;
}

/** What goes through the nodes of a plan. */
interface Walk {
  readonly run: (abandoned: Promise<void>) => Promise<void>;
  /** Starts nothing more; what is in flight goes on to its end. */
  readonly stop: (reason: string) => void;
  /** What has become of the nodes since. */
  readonly judge?: (end: JudgeEnd) => Promise<void>;
}

/** What the end of a walk is judged with: nothing is heard of it any more once the run goes on without it. */
export interface JudgeEnd {
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** One that is told to abort has so long for what is in work to notice, and for the end as a whole. */
const NODES_MS = 2_000;
const ALL_MS = 4_500;

/** `basis`: the hash of what is carried out. Only a run with the same one goes on under the id of one that did not finish. */
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
  /** The nodes are done: the run's time does not count any more. */
  readonly #walked = new AbortController();
  /** It was told to abort, and there is no more time for anything. */
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

  /** How it ends, as far as is known. */
  get end(): RunEnd {
    return this.#end;
  }

  /** From here on the run's time counts. */
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

  /** Nothing more is begun, for whatever reason. */
  get #ending(): AbortSignal {
    const { stop, abort } = this.#request;
    return AbortSignal.any([stop, abort, this.#timeUp.signal]);
  }

  /** What comes before the nodes. False: there was a reason to end before it was done. `signal`: nothing more is begun. */
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
   * Goes through the nodes, to the end or until there is a reason to stop; where there was none, judges them once more. The
   * signal says: everything ends at once.
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

  /** Writes what is to be written of the hold. One that is lost is the run's end, and not more: what was done is done. */
  async settle(): Promise<void> {
    try {
      await this.inTime(this.#hold?.settle() ?? Promise.resolve());
    } catch (error) {
      this.#ends('lost', String(error));
    }
  }

  /** Undefined: the run was told to abort, and there was no more time for it. The next run finds what is left. */
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
