// The hold of one run on one AppProject: what is wanted, what is known to be there, and one step from here to there.
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
  /** Whether this Application, which has the project with windows in its Git, leaves windows alone that it finds. Empty: it is none. */
  readonly leavesWindows: (application: string) => Promise<boolean>;
  /** These names are held now, and no others. */
  readonly onChange: (project: string, names: readonly string[]) => void;
}

/** `given-way`: something urgent came between. `not-allowed`: the lease does not outlast a write. `problem`: not taken. */
type Step = 'done' | 'given-way' | 'not-allowed' | { readonly problem: string };

export class ProjectHold {
  readonly name: string;
  readonly #parts: HoldParts;
  /** Undefined until the run wants something: until then nothing is written. */
  wanted: readonly string[] | undefined;
  /** What is there, as far as it is known. */
  #there: readonly string[] = [];
  /** Something of this run was there. */
  #own = false;
  /** What was sent since the last answer that is sure: any of it may be there, or come to be. */
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

  /** What earlier runs left held. Throws where this run must not hold anything. Writes nothing. */
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

  /** One read and at most one write. `mayDisturb` is asked between the two. */
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

  /** Looks whether what this run put there is still there. Throws if not. */
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
    // A request before this one that is still on its way compares with a version that is no more.
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

  /** A hold of this platform, whatever the run, or one that nobody can be named for if it is only about our names. */
  #acceptable(project: ProjectView, names: readonly string[]): Hold | undefined {
    const { platform } = this.#parts;
    const hold = holdOf(project, platform);
    if (!hold || hold.platform === platform) return hold;
    const known = new Set(names);
    if (!hold.names.every((name) => known.has(name))) throw projectHeld(this.name, hold);
    return hold;
  }

  /** One after the other: an answer must never be judged by what was written after it was given. */
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
  return `its window or annotation was changed; now ${owner ?? 'nobody'} holds ${held}`;
}
