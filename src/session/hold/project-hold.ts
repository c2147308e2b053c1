// The hold of one run on one AppProject: the desired state, the known state, and one step between them.
import type { ProjectReads, ProjectView } from '../../ports/app-projects.ts';
import type { Clock } from '../../ports/clock.ts';
import { changeTo, type Hold, holdOf, isHeldBy, windowsOwner } from '../../run/hold.ts';
import type { HoldWrites } from '../writes/hold-writes.ts';
import {
  holdLost,
  holdRefused,
  projectHeld,
  projectMissing,
  windowsManaged,
} from './hold-errors.ts';

export interface HoldParts {
  readonly platform: string;
  readonly run: string;
  readonly projects: ProjectReads;
  readonly writes: Pick<HoldWrites, 'updateProject'>;
  readonly clock: Clock;
  /**
   * Whether this Application, which has the project with windows in its Git, leaves existing windows alone. Empty: there
   * is no such Application.
   */
  readonly leavesWindows: (application: string) => Promise<boolean>;
  /** Exactly these names are on hold now. */
  readonly onChange: (project: string, names: readonly string[]) => void;
}

/**
 * `given-way`: a write pause started in between. `not-allowed`: the lease does not outlast a write. `problem`: not
 * accepted.
 */
type Step = 'done' | 'given-way' | 'not-allowed' | { readonly problem: string };

export class ProjectHold {
  readonly name: string;
  readonly #parts: HoldParts;
  /** Undefined until the run wants something: nothing is written before. */
  wanted: readonly string[] | undefined;
  /** The known state. */
  #there: readonly string[] = [];
  /** Whether this run has had a window there. */
  #own = false;
  /** What was sent since the last reliable answer: any of it may be there, or arrive later. */
  #unsure: (readonly string[])[] = [];
  #sentAt = Number.NEGATIVE_INFINITY;
  #last: Promise<unknown> = Promise.resolve();

  constructor(name: string, parts: HoldParts) {
    this.name = name;
    this.#parts = parts;
  }

  get there(): readonly string[] {
    return this.#there;
  }

  /** When the last write was sent, by the monotonic clock. */
  get sentAt(): number {
    return this.#sentAt;
  }

  get isSettled(): boolean {
    if (this.wanted === undefined) return true;
    return this.#own && this.wanted.join() === this.#there.join();
  }

  /** What earlier runs left on hold. Throws if this run must not hold anything. Writes nothing. */
  survey(planned: readonly string[]): Promise<readonly string[]> {
    return this.#alone(async () => {
      const project = await this.#parts.projects.get(this.name);
      if (!project) throw projectMissing(this.name);
      const hold = this.#acceptable(project, planned);
      const owner = windowsOwner(project);
      const application = owner && 'application' in owner ? owner.application : '';
      if (owner && !(await this.#parts.leavesWindows(application))) {
        throw windowsManaged(this.name, owner);
      }
      this.#there = hold?.names ?? [];
      return this.#there;
    });
  }

  /** One read and at most one write. `mayDisturb` is checked between the two. */
  step(mayDisturb: () => boolean): Promise<Step> {
    return this.#alone(async () => {
      const project = await this.#read();
      const names = this.wanted;
      if (names === undefined) return 'done';
      if (isHeldBy(project, this.#parts, names, this.#there)) return this.#found(names);
      if (!mayDisturb()) return 'given-way';
      return await this.#write(project, names);
    });
  }

  /** Checks whether this run's window is still there. Throws if not. */
  check(): Promise<void> {
    return this.#alone(async () => {
      if (this.#own && this.#there.length > 0) await this.#read();
    });
  }

  async #write(project: ProjectView, names: readonly string[]): Promise<Step> {
    const { writes, clock } = this.#parts;
    const change = changeTo(project, names, this.#parts);
    const result = await writes.updateProject(project, change, () => {
      this.#sentAt = clock.monotonic();
      this.#unsure.push(names);
    });
    if (result === 'not-allowed') return result;
    if (result.kind === 'unknown') return { problem: result.message };
    if (result.kind === 'refused') {
      this.#unsure.pop();
      if (result.reason === 'conflict') return { problem: result.message };
      throw holdRefused(this.name, result);
    }
    // An earlier request that is still in transit has an outdated resource version and will be refused.
    this.#unsure = [];
    return this.#found(names);
  }

  async #read(): Promise<ProjectView> {
    const lost = (how: string) => holdLost(this.name, this.#parts.run, how);
    const project = await this.#parts.projects.get(this.name);
    if (!project) throw this.#own ? lost('it was deleted') : projectMissing(this.name);
    const known = this.#own ? [this.#there, ...this.#unsure] : this.#unsure;
    const names = known.find((some) => isHeldBy(project, this.#parts, some, this.#there));
    if (names) this.#found(names);
    else if (this.#own && this.#there.length > 0)
      throw lost(difference(project, this.#parts.platform));
    else this.#acceptable(project, this.wanted ?? this.#there);
    return project;
  }

  #found(names: readonly string[]): 'done' {
    const news = names.join() !== this.#there.join();
    this.#there = names;
    this.#own = true;
    if (news) this.#parts.onChange(this.name, names);
    return 'done';
  }

  /** A hold of this platform, by any run, or one without an owner that covers only our names. */
  #acceptable(project: ProjectView, names: readonly string[]): Hold | undefined {
    const { platform } = this.#parts;
    const hold = holdOf(project, platform);
    if (!hold || hold.platform === platform) return hold;
    const known = new Set(names);
    if (!hold.names.every((name) => known.has(name))) throw projectHeld(this.name, hold);
    return hold;
  }

  /** One after the other: an answer must never be compared with a later write. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function difference(project: ProjectView, platform: string): string {
  const hold = holdOf(project, platform);
  if (!hold) return 'its window is gone';
  const owner = hold.platform && `${hold.platform}/${hold.run}`;
  const { length } = hold.names;
  const held = `${length} ${length === 1 ? 'Application' : 'Applications'}`;
  return `its window or annotation was changed; now ${owner ?? 'an unknown owner'} holds ${held}`;
}
