// What a run in this process has around its nodes, whatever it does to them: a session of its own, and the reasons to end
// before all is done.
import { TiphysError } from '../../errors.ts';
import { looksDone } from '../../node/looks-done.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Report, reportOf } from '../../report/run-report.ts';
import { countsOf } from '../../report/tally.ts';
import type { Emit, RunEnd, RunEvent } from '../../run/events.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { acquireSession } from '../../session/open-session.ts';
import type { HoldRequest, Session } from '../../session/session.ts';
import { Departure, onAbort } from './departure.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly target: Cluster;
  readonly clock: Clock;
  /** The id that the run gets unless it continues another one. */
  readonly runId: string;
  /** Names this process: host, process id and something random. */
  readonly holder: string;
  /** Hears everything that happens, in order. */
  readonly listen: (event: RunEvent) => void;
  readonly concurrency: number;
  /** Given once: start nothing more, finish what is in flight. */
  readonly stop: AbortSignal;
  /** Given when everything must end at once. */
  readonly leave: AbortSignal;
}

/** What goes through the nodes of a plan. */
interface Walk {
  readonly run: (abandoned: Promise<void>) => Promise<void>;
  /** Starts nothing more; what is in flight goes on to its end. */
  readonly stop: (reason: string) => void;
}

/** What the end of a walk is judged with: nothing is heard of it any more once the run goes on without it. */
export interface JudgeEnd {
  readonly signal: AbortSignal;
  readonly emit: Emit;
}

/** `basis`: the hash of what is carried out. Only a run with the same one goes on under the id of one that did not finish. */
export async function asOneRun(
  request: RunRequest,
  basis: string,
  run: (frame: RunFrame) => Promise<void>,
): Promise<Report> {
  const { stop, leave, clock, plan } = request;
  const signal = AbortSignal.any([stop, leave]);
  const { session } = await acquireSession({ ...request, basis, isShared: false, signal });
  const departure = new Departure(leave, clock);
  const frame = new RunFrame(request, session, departure);
  try {
    await run(frame);
    return reportOf(plan, session.state);
  } finally {
    frame.close();
    await departure.atMost(session.close());
    await departure.atMost(session.release({ finished: frame.isFinished }));
    departure.close();
  }
}

export class RunFrame {
  readonly session: Session;
  readonly #request: RunRequest;
  readonly #departure: Departure;
  readonly #timeUp = new AbortController();
  /** Its time does not count any more. */
  readonly #over = new AbortController();
  #hold: RunHold | undefined;
  #walk: Walk | undefined;
  #end: RunEnd = 'done';
  #reason: string | undefined;
  isFinished = false;

  constructor(request: RunRequest, session: Session, departure: Departure) {
    this.#request = request;
    this.session = session;
    this.#departure = departure;
  }

  /** How it ends, as far as is known. */
  get end(): RunEnd {
    return this.#end;
  }

  /** From here on the run's time counts. */
  begin(): void {
    const { plan, clock, stop, leave } = this.#request;
    const { lost } = this.session;
    this.session.begin(plan, 'embedded');
    onAbort(lost, () => this.#halt('lost', reasonOf(lost)));
    for (const asked of [stop, leave])
      onAbort(asked, () => this.#halt('interrupted', 'interrupted'));
    void clock.sleep(plan.runTimeout * 1000, this.#over.signal).then(() => {
      if (this.#over.signal.aborted) return;
      const trouble = this.#hold?.trouble;
      this.#halt('time-up', `the run's time was up${trouble ? `; ${trouble}` : ''}`);
      this.#timeUp.abort();
    });
  }

  holdOn(watch: Watch, parts: Omit<HoldRequest, 'watch' | 'looksDone' | 'stop'>): RunHold {
    this.#hold = this.session.holdOn({ ...parts, watch, looksDone, stop: this.#ending });
    return this.#hold;
  }

  /** Nothing more is begun, for whatever reason. */
  get #ending(): AbortSignal {
    const { stop, leave } = this.#request;
    return AbortSignal.any([stop, leave, this.#timeUp.signal]);
  }

  /** What comes before the nodes. False: there was a reason to end before it was done. `signal`: nothing more is begun. */
  async prepare(task: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const signal = this.#ending;
    try {
      const abandoned = this.#departure.abandoned(signal);
      return await Promise.race([task(signal).then(() => true), abandoned.then(() => false)]);
    } catch (error) {
      if (error instanceof Abandoned || this.#timeUp.signal.aborted) return false;
      throw error;
    }
  }

  /** Resolves when what syncs by itself is held. */
  async ensureHold(): Promise<void> {
    await this.#hold?.ensure();
  }

  /**
   * Goes through the nodes, to the end or until there is a reason to stop; then `judge`, where there was none. The signal says:
   * everything ends at once.
   */
  async through(
    walkOver: (signal: AbortSignal) => Walk,
    judge: (end: JudgeEnd) => Promise<void> = async () => {},
  ): Promise<void> {
    const { stop, leave } = this.#request;
    const signal = AbortSignal.any([leave, this.session.lost, this.#timeUp.signal]);
    this.#walk = walkOver(signal);
    if (this.#end !== 'done') this.#walk.stop(this.#reason ?? '');
    await this.#walk.run(this.#departure.abandoned(signal));
    if (this.#end === 'done') {
      let isOver = false;
      const emit: Emit = (event) => {
        if (!isOver) this.session.emit(event);
      };
      const either = AbortSignal.any([signal, stop]);
      const judged = judge({ signal: either, emit });
      await Promise.race([judged, this.#departure.abandoned(either)]);
      isOver = true;
    }
    this.#over.abort();
  }

  /** Writes what is to be written of the hold. One that is lost is the run's end, and not more: what was done is done. */
  async settle(): Promise<void> {
    try {
      await this.inTime(this.#hold?.settle() ?? Promise.resolve());
    } catch (error) {
      this.#ends('lost', String(error));
    }
  }

  /** Undefined: the run was told to leave, and there was no more time for it. */
  inTime<T>(task: Promise<T>): Promise<T | undefined> {
    return this.#departure.atMost(task);
  }

  finish(exitStatus: number, held: readonly string[]): void {
    const counts = countsOf(this.#request.plan, this.session.state.nodes);
    this.isFinished = this.#end === 'done';
    this.session.emit({
      type: 'run.finished',
      exitStatus,
      reason: this.#reason,
      counts,
      held,
    });
  }

  /** Ends what waits for its time. */
  close(): void {
    this.#over.abort();
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
