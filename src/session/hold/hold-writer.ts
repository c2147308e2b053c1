// Keeps the hold of a run on its AppProjects. Changes are gathered: at most one write a second and project, and none
// while a dependent is on its way from its last dependency's gate to its sync request.
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
/** With many nodes there may always be one on its way; a hand-over waits no longer than this. */
const PATIENCE_MS = 30_000;
/** A lease that does not come back within this is lost; who waits for a flush waits so long for Kubernetes. */
const NOT_ALLOWED_MS = 20_000;
const UNREACHABLE_MS = 60_000;
/** Who waits for a flush waits so long for a write that is answered with an error, or not in time. */
const NOT_TAKEN_MS = 300_000;
/** What has lasted for so long is worth a word. */
const TOLD_MS = 3_000;
const LONGEST_PAUSE_MS = 10_000;

export interface HoldWriterParts extends HoldParts {
  /** Called once: the hold is lost, or cannot be written. Nothing is written after it. */
  readonly onLost: (error: unknown) => void;
  /** Told what is tried again and why, once it has lasted for a few seconds: once for each answer. */
  readonly onTrouble: (message: string) => void;
}

/** Reading is patient by itself. */
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
  /** Those that are under way. */
  readonly #looks = new Set<Promise<unknown>>();
  readonly #pause: WritePause;
  readonly #end = new AbortController();
  #hurry = 0;
  #failure: unknown;
  /** When the cluster answered last. */
  #reachedAt = 0;
  /** When the first of those began to wait who wait for a flush. */
  #hurriedAt = 0;
  #watching = false;

  constructor(parts: HoldWriterParts) {
    this.#parts = parts;
    this.#pause = new WritePause(parts.clock);
  }

  /**
   * Reads the AppProjects of these Applications, before anything is written. Names that earlier runs of the platform left
   * held are given back, and stay held until they are released. Throws where a hold is not possible.
   */
  async survey(applications: Iterable<Held>): Promise<ReadonlyMap<string, readonly string[]>> {
    const surveys = [...byProject(applications)].map(async ([project, names]) => {
      return [project, await this.#on(project).survey(names)] as const;
    });
    return new Map(await Promise.all(surveys));
  }

  /** Soon. `flush` waits for it. */
  hold(applications: Iterable<Held>): void {
    for (const [project, more] of byProject(applications)) {
      this.#change(this.#on(project), (names) => withNames(names, more));
    }
    this.#watch();
  }

  release({ project, name }: Held): void {
    this.#change(this.#on(project), (names) => withoutNames(names, [name]));
  }

  /** By project, what is held as far as it is known: what was written and confirmed, or left by an earlier run. */
  current(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#projects].map(([name, project]) => [name, project.there]));
  }

  /** What is held is not known any more. One that was given up knows what it has written. */
  get isLost(): boolean {
    return this.#failure !== undefined && !(this.#failure instanceof Abandoned);
  }

  /**
   * A gate opened and dependents can start: call this before `release`, and what it returns when their requests are sent
   * or given up. No AppProject is written between.
   */
  pauseWrites(): () => void {
    return this.#pause.enter();
  }

  /** Writes what is to be written, whatever is urgent. Throws what `onLost` got; or, once `stop` is given, that it was given up. */
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

  /** Somebody calls `check` whenever an AppProject changes: nothing has to be looked for from time to time. */
  relyOnWatch(): void {
    this.#watching = true;
  }

  /** Looks now whether the windows are still there. If not, `onLost` is called. */
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

  /** While Kubernetes refuses to show an AppProject, nobody knows whether it is still held: waits until that is known. Throws what `onLost` got. */
  async known(): Promise<void> {
    const isRefused = () => [...this.#refusedLooks.values()].some((one) => one.isOngoing);
    while (isRefused() && !this.#end.signal.aborted) await Promise.all(this.#looks);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Nothing more is read or written. What is held stays held. With a reason, `flush` throws it. */
  stop(reason?: unknown): void {
    this.#failure ??= reason;
    this.#end.abort();
    this.#pause.wake();
  }

  #newRefusals(): Refusals {
    const { clock, onTrouble } = this.#parts;
    return new Refusals({ clock, onTrouble, signal: this.#end.signal });
  }

  /** A refusal is an answer: the cluster is reached. */
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

  /** A cluster that does not answer is tried again; everything else ends the hold. */
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

/** Once more as soon as may be, then less and less often. */
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
