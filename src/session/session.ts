// What one process of a run has, in every engine: its identity, the Lease, the hold, the events with their record, the
// signal that the run has lost the platform, the clock, and the door for its writes. `open-session.ts` creates it.
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
import { recordClusterName } from './cluster-name.ts';
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
  /** Receives every event, in order. */
  readonly listen: (event: RunEvent) => void;
  readonly lease: Lease;
  /** The run continues under the id of an unfinished one. */
  readonly isResumed: boolean;
  /** Other processes of the run may work on the same node: one that was believed dead can still be alive. */
  readonly mayRunTwice: boolean;
  /** Which of several processes writes the record; undefined: the record is the run's own. */
  readonly part: string | undefined;
  /** This process starts the run; false: another process has. */
  readonly begins: boolean;
  /** Aborted, with the reason, when the run no longer owns the platform or its hold. */
  readonly lost: AbortController;
}

/** What a run itself decides about its hold. */
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
  /** Warnings from before the start of the run, emitted after it; undefined: it has started. */
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

  /** The events so far. */
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

  /** Events of other processes of the run count here too. They are not emitted again. */
  recall(events: readonly RunEvent[]): void {
    for (const event of events) this.#fold.add(event);
  }

  /** Adds events to the record unchanged. */
  record(events: readonly RunEvent[]): void {
    for (const event of events) {
      this.#recorder ??= this.#newRecorder();
      this.#recorder.append(event);
    }
  }

  /**
   * Copies what earlier processes of a run wrote into the run's own record: everything beside it later comes from its own
   * processes alone, independently of their clocks.
   */
  async takeUpRecord(): Promise<void> {
    const { id, platform } = this.identity;
    const history = await readRun(this.target.store, platform, id);
    const recorder = this.#newRecorder();
    for (const event of unrecorded(history)) recorder.append(event);
    const isWritten = await recorder.close();
    await this.#parts.lease.awaitWritePermit();
    // Otherwise they are the only copy.
    if (isWritten) await this.removeParts();
  }

  /** Removes the separate records of its processes once the run's own record has everything. */
  async removeParts(): Promise<void> {
    const { id, platform } = this.identity;
    await removeParts(rawPorts(this.target).store, platform, id, () => this.mayWrite());
  }

  /** Until the session ends. */
  async watch(namespaces: readonly string[]): Promise<Watch> {
    return await this.target.watches.applications(namespaces, this.#over.signal);
  }

  /** Puts a hold up for the run, and maintains it. */
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

  /** The hold that another process of the run put up. `stop`: nothing is waited for any more. */
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

  /** For a single write to the hold. */
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

  /** The door for writes, for callers with the same preconditions. */
  writes(guards: WriteGuards): Writes {
    return new Writes({ target: this.target, clock: this.clock, lease: this.#parts.lease }, guards);
  }

  /** The door for probe Jobs. */
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

  /** Stores a text beside the run's record, once the run owns the platform. */
  async keepText(text: StoredText): Promise<WriteResult> {
    await this.#parts.lease.awaitWritePermit();
    return await rawPorts(this.target).store.put(text, () => this.mayWrite());
  }

  /** Where no deployment has before. */
  async recordClusterName(clusterName: string | undefined): Promise<void> {
    const { target } = this;
    const keepText = (text: StoredText) => this.keepText(text);
    const warn = (message: string) => this.warn(message);
    await recordClusterName({ clusterName, target, keepText, warn });
  }

  async forgetText(name: string): Promise<void> {
    if (this.mayWrite()) await rawPorts(this.target).store.remove(name);
  }

  /** Ends watch and hold writer; the hold stays. Returns whether the cluster has the whole record. */
  async close(): Promise<boolean> {
    this.#over.abort();
    this.#hold?.close();
    return (await this.#recorder?.close()) ?? true;
  }

  /** Another process of the same run continues with the Lease. */
  async detach(): Promise<void> {
    await this.#parts.lease.detach();
  }

  /** Gives the Lease back. The next run with the same plan resumes an unfinished run under its id. */
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
