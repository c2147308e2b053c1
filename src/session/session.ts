// What one process of a run has, whichever engine it serves: who it is, the Lease, the hold, the events with their record, the
// signal that everything is lost, the clock, and the door that its writes go through. `open-session.ts` makes it.
import type { Plan } from '../plan/plan.ts';
import type { Watch } from '../ports/application-watch.ts';
import type { Clock } from '../ports/clock.ts';
import type { StoredText } from '../ports/record-store.ts';
import type { Cluster } from '../ports/target.ts';
import type { WriteResult } from '../ports/write-result.ts';
import type { Emit, RunEvent } from '../run/events.ts';
import { isoTime } from '../run/iso-time.ts';
import { RunFold, type RunState } from '../run/run-state.ts';
import type { StartedBy } from '../run/started-by.ts';
import { HoldWriter, type HoldWriterParts } from './hold/hold-writer.ts';
import { RunHold } from './hold/run-hold.ts';
import type { RunHoldParts } from './hold/run-hold-parts.ts';
import { SharedHold } from './hold/shared-hold.ts';
import type { RunIdentity } from './identity.ts';
import type { Lease } from './lease/lease.ts';
import type { LeasedRun } from './lease/lease-data.ts';
import { readRun, removeParts, unrecorded } from './record/history.ts';
import { Recorder } from './record/recorder.ts';
import { runStarted } from './run-started.ts';
import { holdWrites } from './writes/hold-writes.ts';
import { type ProbeWrites, probeWrites } from './writes/probe-writes.ts';
import { rawPorts } from './writes/raw-ports.ts';
import { type WriteGuards, Writes } from './writes/writes.ts';

export interface SessionParts {
  readonly identity: RunIdentity;
  readonly target: Cluster;
  readonly clock: Clock;
  /** Hears everything that happens, in order. */
  readonly listen: (event: RunEvent) => void;
  readonly lease: Lease;
  /** The run goes on under the id of one that did not finish. */
  readonly isResumed: boolean;
  /** Other processes of the run may be at the same node: one that was given up for lost can live on. */
  readonly mayRunTwice: boolean;
  /** Which process of several writes the record; undefined: the record is the run's own. */
  readonly part: string | undefined;
  /** It has the run begin; false: another process has. */
  readonly begins: boolean;
  /** Aborted, with the reason, when the run no longer owns the platform or what it holds. */
  readonly lost: AbortController;
}

/** What a run's own business is of its hold. */
export type HoldRequest = Pick<
  RunHoldParts,
  'plan' | 'watch' | 'found' | 'leavesWindows' | 'looksDone' | 'keep' | 'stop'
>;

export class Session {
  readonly identity: RunIdentity;
  readonly target: Cluster;
  readonly clock: Clock;
  readonly lost: AbortSignal;
  readonly mayRunTwice: boolean;
  readonly emit: Emit;
  readonly #parts: SessionParts;
  readonly #fold = new RunFold();
  readonly #over = new AbortController();
  /** Warnings from before the beginning of the run, which are told after it; undefined: it has begun. */
  #early: string[] | undefined;
  #recorder: Recorder | undefined;
  #hold: RunHold | undefined;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#early = parts.begins ? [] : undefined;
    this.identity = parts.identity;
    this.target = parts.target;
    this.clock = parts.clock;
    this.lost = parts.lost.signal;
    this.mayRunTwice = parts.mayRunTwice;
    this.emit = (body) => {
      const event = { time: isoTime(this.clock.now()), run: this.identity.id, ...body } as RunEvent;
      this.#fold.add(event);
      this.record([event]);
      parts.listen(event);
    };
  }

  /** What has happened so far. */
  get state(): RunState {
    return this.#fold.state;
  }

  warn(message: string): void {
    if (this.#early) this.#early.push(message);
    else this.emit({ type: 'run.warning', message });
  }

  begin(plan: Plan, engine: string, startedBy?: StartedBy): void {
    this.emit(runStarted(plan, engine, this.#parts.isResumed, startedBy));
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const message of early) this.warn(message);
  }

  /** What other processes of the run told counts here too. Nobody is told of it again. */
  recall(events: readonly RunEvent[]): void {
    for (const event of events) this.#fold.add(event);
  }

  /** Puts events into the record as they are. */
  record(events: readonly RunEvent[]): void {
    for (const event of events) {
      this.#recorder ??= this.#newRecorder();
      this.#recorder.append(event);
    }
  }

  /**
   * What the processes of a run before this one wrote goes into the run's own record: what is beside that later is of its own
   * processes alone, whatever their clocks say.
   */
  async takeUpRecord(): Promise<void> {
    const { id, platform } = this.identity;
    const history = await readRun(this.target.store, platform, id);
    const recorder = this.#newRecorder();
    for (const event of unrecorded(history)) recorder.append(event);
    const isWritten = await recorder.close();
    await this.#parts.lease.awaitWritePermit();
    // Else they are the only ones that have it.
    if (isWritten) await this.removeParts();
  }

  /** What its processes wrote beside the run's own record, once that has it all. */
  async removeParts(): Promise<void> {
    const { id, platform } = this.identity;
    await removeParts(rawPorts(this.target).store, platform, id, () => this.mayWrite());
  }

  /** Until the session's end. */
  async watch(namespaces: readonly string[]): Promise<Watch> {
    return await this.target.watches.applications(namespaces, this.#over.signal);
  }

  /** Puts a hold up for the run, and keeps it. */
  holdOn(request: HoldRequest): RunHold {
    const { lease, lost } = this.#parts;
    const { projects, applications, watches } = this.target;
    const watchProjects = watches.projects;
    const { identity: run, clock, emit } = this;
    this.#hold = new RunHold({
      ...request,
      run,
      projects,
      applications,
      watchProjects,
      clock,
      emit,
      writes: holdWrites(this.target, lease),
      lost: lost.signal,
      onLost: (error) => lost.abort(error),
      onTrouble: (message) => this.#waits(message),
    });
    return this.#hold;
  }

  /** The hold that another process of the run has put up. `stop`: nothing is waited for any more. */
  sharedHold(
    plan: Plan,
    names: ReadonlySet<string>,
    watch: Pick<Watch, 'last' | 'all'>,
    stop: AbortSignal,
  ): SharedHold {
    const onTrouble = (message: string) => this.#waits(message);
    const { clock, lost } = this;
    const signal = AbortSignal.any([lost, stop]);
    return new SharedHold({ plan, names, watch, session: this, clock, signal, onTrouble });
  }

  /** To write to the hold once. */
  holdWriter(part: Partial<Pick<HoldWriterParts, 'onTrouble'>> = {}): HoldWriter {
    const { id, platform } = this.identity;
    return new HoldWriter({
      platform,
      run: id,
      projects: this.target.projects,
      writes: holdWrites(this.target, this.#parts.lease),
      clock: this.clock,
      leavesWindows: async () => true,
      onChange: () => {},
      onLost: () => {},
      onTrouble: (message) => this.#waits(message),
      ...part,
    });
  }

  /** For the other processes of the run: these AppProjects have its hold. */
  async markHeld(projects: Iterable<string>): Promise<void> {
    await this.#parts.lease.mark(projects);
  }

  /** The door for writes, for those that wait for the same. */
  writes(guards: WriteGuards): Writes {
    return new Writes({ target: this.target, clock: this.clock, lease: this.#parts.lease }, guards);
  }

  /** The door for the Jobs of probes. */
  probeWrites(signal: AbortSignal): ProbeWrites {
    return probeWrites(this.target, this.#parts.lease, signal);
  }

  mayWrite(): boolean {
    return this.#parts.lease.mayWrite();
  }

  /** Throws once the run no longer owns the platform. */
  assertOwned(): void {
    const { lease } = this.#parts;
    if (lease.lost) throw lease.lost;
  }

  /** Keeps a text beside the run's record, once the run owns the platform. */
  async keepText(text: StoredText): Promise<WriteResult> {
    await this.#parts.lease.awaitWritePermit();
    return await rawPorts(this.target).store.put(text, () => this.mayWrite());
  }

  async forgetText(name: string): Promise<void> {
    if (this.mayWrite()) await rawPorts(this.target).store.remove(name);
  }

  /** Ends watch and hold; what is held stays held. Whether the cluster has the whole record. */
  async close(): Promise<boolean> {
    this.#over.abort();
    this.#hold?.close();
    return (await this.#recorder?.close()) ?? true;
  }

  /** Another process of the same run goes on with the Lease. */
  async detach(): Promise<void> {
    await this.#parts.lease.detach();
  }

  /** Gives the Lease back. An unfinished run is continued, under its id, by the next one with the same plan. */
  async release(as: Partial<LeasedRun> & { readonly finished: boolean }): Promise<void> {
    await this.#parts.lease.release(as);
  }

  #waits(message: string): void {
    this.emit({ type: 'run.waiting', unmet: { condition: 'hold', message } });
  }

  #newRecorder(): Recorder {
    const { part } = this.#parts;
    const { id: run, platform, plan } = this.identity;
    return new Recorder({
      run,
      platform,
      plan,
      clock: this.clock,
      store: rawPorts(this.target).store,
      ...(part === undefined ? {} : { part }),
      mayWrite: () => this.mayWrite(),
      onProblem: (problem) => this.warn(`the record of this run is not complete: ${problem}`),
    });
  }
}
