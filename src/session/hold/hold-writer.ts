// Maintains the hold of a run on its AppProjects. Changes are batched: at most one write per second and project, and none
// while a dependent is between its last dependency's gate and its sync request.
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { ApplicationAddress } from '../../model/platform.ts';
import { withNames, withoutNames } from '../../run/hold.ts';
import { Abandoned } from '../abandoned.ts';
import { Retrying } from '../retrying.ts';
import { holdNotTaken, holdNotWritten } from './hold-errors.ts';
import { type HoldParts, ProjectHold } from './project-hold.ts';
import { isRefusal, Refusals } from './refusals.ts';
import { WritePause } from './write-pause.ts';

const BETWEEN_WRITES_MS = 1_000;
const CHECK_MS = 10_000;
/** With many nodes, one may always be between gate and request; a hand-over waits no longer than this. */
const PATIENCE_MS = 30_000;
/** A lease that is not renewed within this time is lost; a flush waits this long for Kubernetes. */
const NOT_ALLOWED_MS = 20_000;
const UNREACHABLE_MS = 60_000;
/** A flush waits this long for a write that fails or times out. */
const NOT_TAKEN_MS = 300_000;
/** A problem that lasts longer than this is reported. */
const TOLD_MS = 3_000;
const LONGEST_PAUSE_MS = 10_000;

export interface HoldWriterParts extends HoldParts {
  /** Called once: the hold is lost, or cannot be written. No write follows. */
  readonly onLost: (error: unknown) => void;
  /** Receives what is retried and why, after a few seconds: once for each answer. */
  readonly onTrouble: (message: string) => void;
}

/** Reads have their own retries. */
interface Unreachable {
  readonly problem: string;
  readonly isUnreachable: true;
}

type Held = Pick<ApplicationAddress, 'name' | 'project'>;

export class HoldWriter {
  readonly #parts: HoldWriterParts;
  readonly #projects = new Map<string, ProjectHold>();
  readonly #driving = new Map<ProjectHold, Promise<void>>();
  readonly #refusedLooks = new Map<ProjectHold, Refusals>();
  /** The writes in progress. */
  readonly #looks = new Set<Promise<unknown>>();
  readonly #pause: WritePause;
  readonly #end = new AbortController();
  #hurry = 0;
  #failure: unknown;
  /** When the cluster last answered. */
  #reachedAt = 0;
  /** When the first of the pending flushes started to wait. */
  #hurriedAt = 0;
  #watching = false;

  constructor(parts: HoldWriterParts) {
    this.#parts = parts;
    this.#pause = new WritePause(parts.clock);
  }

  /**
   * Reads the AppProjects of these Applications before any write. Returns the names that earlier runs of the platform left
   * on hold; they stay on hold until they are released. Throws if a hold is not possible.
   */
  async survey(applications: Iterable<Held>): Promise<ReadonlyMap<string, readonly string[]>> {
    const surveys = [...byProject(applications)].map(async ([project, names]) => {
      return [project, await this.#on(project).survey(names)] as const;
    });
    return new Map(await Promise.all(surveys));
  }

  /** Written soon. `flush` waits for it. */
  hold(applications: Iterable<Held>): void {
    for (const [project, more] of byProject(applications)) {
      this.#change(this.#on(project), (names) => withNames(names, more));
    }
    this.#watch();
  }

  release({ project, name }: Held): void {
    this.#change(this.#on(project), (names) => withoutNames(names, [name]));
  }

  /** By project, what is known to be on hold: written and confirmed, or left by an earlier run. */
  current(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#projects].map(([name, project]) => [name, project.there]));
  }

  /** Whether the state of the hold is unknown. A writer that was stopped still knows what it has written. */
  get isLost(): boolean {
    return this.#failure !== undefined && !(this.#failure instanceof Abandoned);
  }

  /**
   * A gate opened and dependents can start: call this before `release`, and call the returned function when their requests
   * are sent or abandoned. No AppProject is written in between.
   */
  pauseWrites(): () => void {
    return this.#pause.enter();
  }

  /**
   * Writes everything pending, even during a write pause. Throws the error that `onLost` got; or, once `stop` fires, that
   * it was abandoned.
   */
  async flush(stop?: AbortSignal): Promise<void> {
    const giveUp = () => this.stop(new Abandoned());
    if (stop?.aborted) giveUp();
    stop?.addEventListener('abort', giveUp);
    const now = this.#parts.clock.monotonic();
    if (this.#hurry++ === 0) this.#hurriedAt = now;
    this.#reachedAt = now;
    this.#pause.wake();
    await Promise.all(this.#driving.values());
    this.#hurry--;
    stop?.removeEventListener('abort', giveUp);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The caller calls `check` whenever an AppProject changes, so no polling is needed. */
  relyOnWatch(): void {
    this.#watching = true;
  }

  /** Checks immediately whether the windows are still there. If not, `onLost` is called. */
  async check(): Promise<void> {
    await Promise.all(
      [...this.#projects.values()].map(async (project) => {
        const refusals = this.#refusedLooks.get(project) ?? this.#newRefusals();
        this.#refusedLooks.set(project, refusals);
        const look = this.#trying(() => this.#bear(refusals, () => project.check()));
        this.#looks.add(look);
        await look;
        this.#looks.delete(look);
        refusals.end();
        this.#drive(project);
      }),
    );
  }

  /**
   * While Kubernetes refuses to return an AppProject, the state of the hold is unknown: waits until it is known. Throws
   * the error that `onLost` got.
   */
  async known(): Promise<void> {
    const isRefused = () => [...this.#refusedLooks.values()].some((one) => one.isOngoing);
    while (isRefused() && !this.#end.signal.aborted) await Promise.all(this.#looks);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** No more reads or writes. The hold stays. With a reason, `flush` throws it. */
  stop(reason?: unknown): void {
    this.#failure ??= reason;
    this.#end.abort();
    this.#pause.wake();
  }

  #newRefusals(): Refusals {
    const { clock, onTrouble } = this.#parts;
    return new Refusals({ clock, onTrouble, signal: this.#end.signal });
  }

  /** A refusal is an answer: the cluster is reachable. */
  #bear<T>(refusals: Refusals, attempt: () => Promise<T>): Promise<T> {
    return refusals.bear(() =>
      attempt().catch((error: unknown) => {
        if (isRefusal(error)) this.#reachedAt = this.#parts.clock.monotonic();
        throw error;
      }),
    );
  }

  #on(name: string): ProjectHold {
    const known = this.#projects.get(name) ?? new ProjectHold(name, this.#parts);
    this.#projects.set(name, known);
    return known;
  }

  #change(project: ProjectHold, next: (names: readonly string[]) => readonly string[]): void {
    project.wanted = next(project.wanted ?? project.there);
    this.#drive(project);
  }

  /** One at a time for each project. */
  #drive(project: ProjectHold): void {
    if (project.isSettled || this.#driving.has(project)) return;
    const driving = this.#settle(project).finally(() => this.#driving.delete(project));
    this.#driving.set(project, driving);
  }

  async #settle(project: ProjectHold): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#end;
    let patient = clock.monotonic() + PATIENCE_MS;
    const mayDisturb = () =>
      this.#hurry > 0 || clock.monotonic() >= patient || !this.#pause.isActive;
    let allowedAt = clock.monotonic();
    const retrying = new Retrying(clock, `PATCH of the AppProject ${quote(project.name)}`);
    const refusals = this.#newRefusals();
    let told = '';
    const tell = (message: string) => {
      if (message === told || signal.aborted) return;
      told = message;
      this.#parts.onTrouble(message);
    };
    while (!project.isSettled && !signal.aborted) {
      await clock.sleep(
        Math.max(0, project.sentAt + BETWEEN_WRITES_MS - clock.monotonic()),
        signal,
      );
      while (!mayDisturb() && !signal.aborted) {
        await this.#pause.wait(patient - clock.monotonic());
      }
      if (signal.aborted) return;
      const sent = project.sentAt;
      const attempt = () => project.step(() => !signal.aborted && mayDisturb());
      const step = await this.#trying(() =>
        this.#bear(refusals, () => retrying.sent(attempt(), tell)),
      );
      if (project.sentAt !== sent) patient = clock.monotonic() + PATIENCE_MS;
      if (step !== 'not-allowed') allowedAt = clock.monotonic();
      if (clock.monotonic() - allowedAt >= NOT_ALLOWED_MS)
        this.#fail(holdNotWritten(this.#parts.run));
      if (step === 'not-allowed') await clock.sleep(BETWEEN_WRITES_MS, signal);
      if (step === 'done') retrying.succeeded();
      if (step === 'done' || typeof step !== 'string') refusals.end();
      if (typeof step === 'string') continue;
      retrying.failed(step.problem);
      if (retrying.lastedMs >= TOLD_MS) tell(retrying.ongoing);
      if (this.#isTooLate(retrying)) this.#fail(holdNotTaken(this.#parts.run, retrying.summary));
      const isRead = 'isUnreachable' in step;
      await clock.sleep(isRead ? BETWEEN_WRITES_MS : pauseAfter(retrying.times), signal);
    }
  }

  #isTooLate({ lastedMs }: Retrying): boolean {
    const waited = this.#parts.clock.monotonic() - this.#hurriedAt;
    return this.#hurry > 0 && Math.min(lastedMs, waited) >= NOT_TAKEN_MS;
  }

  /** An unreachable cluster is retried; everything else ends the hold. */
  async #trying<T>(action: () => Promise<T>): Promise<T | Unreachable> {
    const now = this.#parts.clock.monotonic;
    try {
      const result = await action();
      this.#reachedAt = now();
      return result;
    } catch (error) {
      const waits = this.#hurry === 0 || now() - this.#reachedAt < UNREACHABLE_MS;
      if (!(error instanceof TiphysError && error.isPassing) || !waits) this.#fail(error);
      const problem = error instanceof Error ? error.message : String(error);
      return { problem, isUnreachable: true };
    }
  }

  #fail(error: unknown): void {
    if (this.#end.signal.aborted) return;
    this.stop(error);
    this.#parts.onLost(error);
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    void this.#watchUntilEnd();
  }

  async #watchUntilEnd(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(CHECK_MS, signal);
      if (!signal.aborted) await this.check();
    }
  }
}

/** Retries as soon as possible, then with increasing delays. */
const pauseAfter = (times: number): number =>
  times === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, BETWEEN_WRITES_MS * 2 ** (times - 2));

function byProject(applications: Iterable<Held>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { project, name } of applications) {
    const known = names.get(project);
    if (known) known.push(name);
    else names.set(project, [name]);
  }
  return names;
}
