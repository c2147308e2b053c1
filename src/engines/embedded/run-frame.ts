// What a run in this process has around its nodes, whatever it does to them: a session of its own, and the reasons to end
// before all is done.
import { TiphysError } from '../../errors.ts';
import { looksDone } from '../../node/looks-done.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { type Report, reportOf } from '../../report/run-report.ts';
import { countsOf } from '../../report/tally.ts';
import type { RunEnd } from '../../run/events.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { type AcquireRequest, acquireSession } from '../../session/open-session.ts';
import type { HoldRequest, Session } from '../../session/session.ts';
import { onAbort } from './on-abort.ts';

/** `holder`: host, process id and something random. */
export interface RunRequest
  extends Pick<AcquireRequest, 'plan' | 'target' | 'clock' | 'runId' | 'holder' | 'listen'> {
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

/** One that is told to leave has so long for what is in work to notice, and for the end as a whole. */
const NODES_MS = 2_000;
const ALL_MS = 4_500;

/** `basis`: the hash of what is carried out. Only a run with the same one goes on under the id of one that did not finish. */
export async function asOneRun(
  request: RunRequest,
  basis: string,
  run: (frame: RunFrame) => Promise<void>,
): Promise<Report> {
  const { stop, leave, plan } = request;
  const signal = AbortSignal.any([stop, leave]);
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
  /** It was told to leave, and there is no more time for anything. */
  readonly #over: Promise<void>;
  #hold: RunHold | undefined;
  #end: RunEnd = 'done';
  #reason: string | undefined;
  #isFinished = false;

  constructor(request: RunRequest, session: Session) {
    this.#request = request;
    this.session = session;
    this.#over = this.#after(request.leave, ALL_MS);
  }

  /** How it ends, as far as is known. */
  get end(): RunEnd {
    return this.#end;
  }

  begin(): void {
    this.session.begin(this.#request.plan, 'embedded');
  }

  holdOn(watch: Watch, parts: Omit<HoldRequest, 'watch' | 'looksDone' | 'stop'>): RunHold {
    const { stop, leave } = this.#request;
    const either = AbortSignal.any([stop, leave]);
    this.#hold = this.session.holdOn({ ...parts, watch, looksDone, stop: either });
    return this.#hold;
  }

  /** Goes through the nodes, to the end or until there is a reason to stop. The signal says: everything ends at once. */
  async through(walkOver: (signal: AbortSignal) => Walk): Promise<void> {
    const { plan, clock, stop, leave } = this.#request;
    const { lost } = this.session;
    const timeUp = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([leave, lost, timeUp.signal]);
    const walk = walkOver(signal);
    const halt = (end: RunEnd, reason: string) => {
      this.#ends(end, reason);
      walk.stop(reason);
    };
    onAbort(lost, () => halt('lost', reasonOf(lost)));
    for (const asked of [stop, leave]) onAbort(asked, () => halt('interrupted', 'interrupted'));
    void clock.sleep(plan.runTimeout * 1000, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      halt('time-up', "the run's time was up");
      timeUp.abort();
    });
    await walk.run(this.#after(signal, NODES_MS));
    ended.abort();
  }

  /** Writes what is to be written of the hold. One that is lost is the run's end, and not more: what was done is done. */
  async settle(): Promise<void> {
    try {
      await this.inTime(this.#hold?.settle() ?? Promise.resolve());
    } catch (error) {
      this.#ends('lost', String(error));
    }
  }

  /** Undefined: the run was told to leave, and there was no more time for it. The next run finds what is left. */
  async inTime<T>(task: Promise<T>): Promise<T | undefined> {
    return await Promise.race([task, this.#over.then(() => undefined)]);
  }

  finish(exitStatus: number, held: readonly string[]): void {
    const counts = countsOf(this.#request.plan, this.session.state.nodes);
    this.#isFinished = this.#end === 'done';
    this.session.emit({ type: 'run.finished', exitStatus, reason: this.#reason, counts, held });
  }

  async close(): Promise<void> {
    await this.inTime(this.session.close());
    await this.inTime(this.session.release({ finished: this.#isFinished }));
    this.#closed.abort();
  }

  async #after(signal: AbortSignal, ms: number): Promise<void> {
    await new Promise<void>((resolve) => onAbort(signal, resolve));
    await this.#request.clock.sleep(ms, this.#closed.signal);
  }

  #ends(end: RunEnd, reason: string): void {
    if (this.#end === 'done') [this.#end, this.#reason] = [end, reason];
  }
}

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof TiphysError ? signal.reason.message : String(signal.reason);
}
