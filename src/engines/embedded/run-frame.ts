// What every run has around its nodes, whatever it does to them: the Lease, the events and their record, the hold, the
// reasons to end before all is done.
import { TiphysError } from '../../errors.ts';
import { looksDone } from '../../node/looks-done.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Target } from '../../ports/target.ts';
import { type Report, reportOf } from '../../report/run-report.ts';
import { countsOf } from '../../report/tally.ts';
import type { Emit, RunEvent } from '../../run/events.ts';
import type { RunEnd } from '../../run/exit-status.ts';
import { isoTime } from '../../run/iso-time.ts';
import { RunFold, type RunState } from '../../run/run-state.ts';
import { RunHold, type RunHoldParts } from '../../session/hold/run-hold.ts';
import type { RunIdentity } from '../../session/identity.ts';
import { type Acquired, acquireLease } from '../../session/lease/acquire-lease.ts';
import { Recorder } from '../../session/record/recorder.ts';
import { runStarted } from '../../session/run-started.ts';
import { Departure, onAbort } from './departure.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly target: Target;
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
interface Work {
  readonly run: (monotonic: number, abandoned: Promise<void>) => Promise<void>;
  /** Starts nothing more; what is in flight goes on to its end. */
  readonly stop: (reason: string) => void;
}

/** The parts of a hold that are the run's own business. */
type HoldParts = Pick<RunHoldParts, 'plan' | 'found' | 'leavesWindows' | 'keep'>;

/** `basis`: the hash of what is carried out. Only a run with the same one goes on under the id of one that did not finish. */
export async function asOneRun(
  request: RunRequest,
  basis: string,
  run: (frame: RunFrame) => Promise<void>,
): Promise<Report> {
  const { stop, leave, clock, plan, target } = request;
  const lost = new AbortController();
  let frame: RunFrame | undefined;
  const acquired = await acquireLease({
    platform: plan.platform,
    plan: basis,
    run: request.runId,
    holder: request.holder,
    leases: target.leases,
    clock,
    signal: AbortSignal.any([stop, leave]),
    onLost: (error) => lost.abort(error),
    onTrouble: (problem) => frame?.warn(expiredLease(problem)),
  });
  const departure = new Departure(leave, clock);
  frame = new RunFrame(request, acquired, lost, departure);
  try {
    await run(frame);
    return reportOf(plan, frame.state);
  } finally {
    await frame.close();
    await departure.atMost(acquired.lease.release({ finished: frame.isFinished }));
    departure.close();
  }
}

export class RunFrame {
  readonly identity: RunIdentity;
  readonly emit: Emit;
  readonly #request: RunRequest;
  readonly #acquired: Acquired;
  readonly #lost: AbortController;
  readonly #departure: Departure;
  readonly #fold = new RunFold();
  readonly #recorder: Recorder;
  readonly #over = new AbortController();
  #hold: RunHold | undefined;
  #end: RunEnd = 'done';
  #reason: string | undefined;
  isFinished = false;

  constructor(
    request: RunRequest,
    acquired: Acquired,
    lost: AbortController,
    departure: Departure,
  ) {
    this.#request = request;
    this.#acquired = acquired;
    this.#lost = lost;
    this.#departure = departure;
    const { platform, hash } = request.plan;
    this.identity = { id: acquired.run, platform, plan: hash };
    this.#recorder = new Recorder({
      platform,
      plan: hash,
      run: acquired.run,
      store: request.target.store,
      clock: request.clock,
      mayWrite: () => acquired.lease.mayWrite(),
      onProblem: (problem) => this.warn(`the record of this run is not complete: ${problem}`),
    });
    this.emit = (body) => {
      const event = { time: isoTime(request.clock.now()), run: acquired.run, ...body } as RunEvent;
      this.#fold.add(event);
      this.#recorder.append(event);
      request.listen(event);
    };
  }

  get state(): RunState {
    return this.#fold.state;
  }

  /** How it ends, as far as is known. */
  get end(): RunEnd {
    return this.#end;
  }

  warn(message: string): void {
    this.emit({ type: 'run.warning', message });
  }

  begin(): void {
    this.emit(runStarted(this.#request.plan, 'embedded', this.#acquired.resumed));
  }

  /** Until the run's end. */
  async watch(namespaces: readonly string[]): Promise<Watch> {
    return await this.#request.target.watch(namespaces, this.#over.signal);
  }

  holdOn(watch: Watch, parts: HoldParts): RunHold {
    const { target, clock, stop, leave } = this.#request;
    const { lease } = this.#acquired;
    this.#hold = new RunHold({
      looksDone,
      ...parts,
      run: this.identity,
      projects: target.projects,
      watchProjects: target.watchProjects,
      applications: target.applications,
      watch,
      clock,
      mayWrite: (deadline) => lease.mayWrite(deadline),
      emit: this.emit,
      stop: AbortSignal.any([stop, leave]),
      lost: this.#lost.signal,
      onLost: (error) => this.#lost.abort(error),
    });
    return this.#hold;
  }

  /** Resolves when a write may be sent: what syncs by itself is held, and the run owns the platform for long enough. */
  async permit(): Promise<void> {
    await this.#hold?.ensure();
    await this.#acquired.lease.permit();
  }

  mayWrite(): boolean {
    return this.#acquired.lease.mayWrite();
  }

  /** Goes through the nodes, to the end or until there is a reason to stop. The signal says: everything ends at once. */
  async through(work: (signal: AbortSignal) => Work): Promise<void> {
    const { plan, clock, stop, leave } = this.#request;
    const timeUp = new AbortController();
    const ended = new AbortController();
    const signal = AbortSignal.any([leave, this.#lost.signal, timeUp.signal]);
    const nodes = work(signal);
    const halt = (end: RunEnd, reason: string) => {
      this.#ends(end, reason);
      nodes.stop(reason);
    };
    onAbort(this.#lost.signal, () => halt('lost', reasonOf(this.#lost.signal)));
    for (const asked of [stop, leave]) onAbort(asked, () => halt('interrupted', 'interrupted'));
    void clock.sleep(plan.runTimeout * 1000, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      halt('time-up', "the run's time was up");
      timeUp.abort();
    });
    await nodes.run(clock.monotonic(), this.#departure.abandoned(signal));
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

  /** Undefined: the run was told to leave, and there was no more time for it. */
  inTime<T>(task: Promise<T>): Promise<T | undefined> {
    return this.#departure.atMost(task);
  }

  finish(exitStatus: number, held: readonly string[]): void {
    const counts = countsOf(this.#request.plan, this.state.nodes);
    this.isFinished = this.#end === 'done';
    this.emit({ type: 'run.finished', exitStatus, reason: this.#reason, counts, held });
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#hold?.close();
    await this.inTime(this.#recorder.close());
  }

  #ends(end: RunEnd, reason: string): void {
    if (this.#end === 'done') [this.#end, this.#reason] = [end, reason];
  }
}

const expiredLease = (problem: string): string =>
  `the run's lease cannot be renewed: ${problem}; nothing is written until it is`;

function reasonOf(signal: AbortSignal): string {
  return signal.reason instanceof TiphysError ? signal.reason.message : String(signal.reason);
}
