// Keeps the hold of a run on its AppProjects. Changes are gathered: at most one write a second and project, and none
// while a dependent is on its way from its last dependency's gate to its sync request.
import { TiphysError } from '../../errors.ts';
import type { ApplicationAddress } from '../../model/platform.ts';
import { withNames, withoutNames } from '../../run/hold.ts';
import { holdNotWritten } from './hold-errors.ts';
import { type HoldParts, ProjectHold } from './project-hold.ts';
import { Quiet } from './write-pause.ts';

const BETWEEN_WRITES_MS = 1_000;
const CHECK_MS = 10_000;
/** With many nodes there may always be one on its way; a hand-over waits no longer than this. */
const PATIENCE_MS = 30_000;
/** A lease that does not come back within this is lost; who waits for a flush waits so long for Argo CD. */
const NOT_ALLOWED_MS = 20_000;
const UNREACHABLE_MS = 60_000;

export interface KeeperParts extends HoldParts {
  /** Called once: the hold is lost, or cannot be written. Nothing is written after it. */
  readonly onLost: (error: unknown) => void;
}

type Held = Pick<ApplicationAddress, 'name' | 'project'>;

export class HoldKeeper {
  readonly #parts: KeeperParts;
  readonly #projects = new Map<string, ProjectHold>();
  readonly #driving = new Map<ProjectHold, Promise<void>>();
  readonly #quiet: Quiet;
  readonly #end = new AbortController();
  #hurry = 0;
  #failure: unknown;
  /** When the cluster answered last. */
  #reachedAt = 0;
  #watching = false;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    this.#quiet = new Quiet(parts.clock);
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

  /** What is held is not known any more. */
  get isLost(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * A gate opened and dependents can start: call this before `release`, and what it returns when their requests are sent
   * or given up. No AppProject is written between.
   */
  urgent(): () => void {
    return this.#quiet.enter();
  }

  /** Writes what is to be written, whatever is urgent. Throws what `onLost` got. */
  async flush(): Promise<void> {
    this.#hurry++;
    this.#reachedAt = this.#parts.clock.monotonic();
    this.#quiet.wake();
    await Promise.all(this.#driving.values());
    this.#hurry--;
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
        await this.#trying(() => project.check());
        this.#drive(project);
      }),
    );
  }

  /** Nothing more is read or written. What is held stays held. With a reason, `flush` throws it. */
  stop(reason?: unknown): void {
    this.#failure ??= reason;
    this.#end.abort();
    this.#quiet.wake();
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
      this.#hurry > 0 || clock.monotonic() >= patient || !this.#quiet.isBroken;
    let allowedAt = clock.monotonic();
    while (!project.isSettled && !signal.aborted) {
      await clock.sleep(
        Math.max(0, project.sentAt + BETWEEN_WRITES_MS - clock.monotonic()),
        signal,
      );
      while (!mayDisturb() && !signal.aborted) {
        await this.#quiet.wait(patient - clock.monotonic());
      }
      if (signal.aborted) return;
      const sent = project.sentAt;
      const step = await this.#trying(() => project.step(() => !signal.aborted && mayDisturb()));
      if (project.sentAt !== sent) patient = clock.monotonic() + PATIENCE_MS;
      if (step !== 'not-allowed') allowedAt = clock.monotonic();
      if (clock.monotonic() - allowedAt >= NOT_ALLOWED_MS)
        this.#fail(holdNotWritten(this.#parts.run));
      if (step === undefined || step === 'not-allowed') {
        await clock.sleep(BETWEEN_WRITES_MS, signal);
      }
    }
  }

  /** A cluster that does not answer is tried again; everything else ends the hold. */
  async #trying<T>(action: () => Promise<T>): Promise<T | undefined> {
    const now = this.#parts.clock.monotonic;
    try {
      const result = await action();
      this.#reachedAt = now();
      return result;
    } catch (error) {
      const waits = this.#hurry === 0 || now() - this.#reachedAt < UNREACHABLE_MS;
      if (!(error instanceof TiphysError && error.isPassing) || !waits) this.#fail(error);
      return undefined;
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

function byProject(applications: Iterable<Held>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { project, name } of applications) {
    const known = names.get(project);
    if (known) known.push(name);
    else names.set(project, [name]);
  }
  return names;
}
