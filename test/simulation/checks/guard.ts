// Which operations of Argo CD's own nobody could have kept from beginning: those from before the first run could hold anything, those from while
// somebody had taken the hold away, and what follows on the heels of one of these, before its application could be held.
import type { Application } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { End, Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import { type Witness, writeOf } from '../witness.ts';
import { asleep, watchDelay } from './gates.ts';
import { isHold, windowsOf } from './writes.ts';

/** To read an AppProject and to write it. */
const SOON_MS = 10_000;
/** With these nobody can say how long a write takes. */
const IN_THE_WAY = new Set(['api', 'token', 'argocd', 'project']);

export class Guard implements Witness {
  readonly #world: World;
  readonly #now: () => number;
  readonly #delay: number;
  readonly #isHindered: boolean;
  /** Project -> the names that are held. */
  readonly #held = new Map<string, ReadonlySet<string>>();
  /** Projects that must be guarded: a hold has been there, or a sync was asked for. */
  readonly #guarded = new Set<string>();
  /** Project -> since when the hold is gone that somebody has taken away. */
  readonly #robbed = new Map<string, number>();
  /** Applications with an operation of Argo CD's own that could not be prevented -> when it ended. They were not held since. */
  readonly #leftOut = new Map<string, number | undefined>();
  readonly #asked = new Set<Life>();
  readonly #awake = new Map<Life, number>();

  constructor(world: World, now: () => number) {
    this.#world = world;
    this.#now = now;
    this.#delay = SOON_MS + watchDelay(world);
    this.#isHindered = world.mishaps.faults.some(({ subject }) => IN_THE_WAY.has(subject));
  }

  /** The first command is given: whoever looks from now on sees that these have ended. */
  begin(): void {
    for (const [name, ended] of this.#leftOut) if (ended !== undefined) this.#leftOut.delete(name);
  }

  isHeld(name: string): boolean {
    return this.#held.get(this.#projectOf(name))?.has(name) === true;
  }

  isRobbed(name: string): boolean {
    return this.#robbed.has(this.#projectOf(name));
  }

  get holdsAnything(): boolean {
    return [...this.#held.values()].some((names) => names.size > 0);
  }

  get isRobbedAnywhere(): boolean {
    return this.#robbed.size > 0;
  }

  /** Its operation of Argo CD's own could not be prevented, or there is no time yet to hold it since that has ended. */
  isLeftOut(name: string): boolean {
    if (this.isHeld(name) || !this.#leftOut.has(name)) return false;
    const ended = this.#leftOut.get(name);
    if (ended === undefined || this.#isHindered || this.#awake.size === 0) return true;
    const lives = [...this.#awake];
    const since = Math.min(...lives.map(([, from]) => from));
    const slept = Math.max(...lives.map(([life]) => asleep(life, this.#now())));
    return this.#now() - Math.max(ended, since) < this.#delay + slept;
  }

  /** Whether nothing may sync by itself in its project any more. */
  isOn(name: string): boolean {
    return this.#guarded.has(this.#projectOf(name)) && !this.isRobbed(name);
  }

  changed({ object, before, type }: Change): void {
    if (object.kind === 'AppProject') this.#projectChanged(object);
    if (object.kind !== 'Application') return;
    const { name } = object.metadata;
    const isNow = type !== 'DELETED' && isAutomated(object);
    const wasThen = before !== undefined && isAutomated(before);
    if (wasThen && !isNow && this.#leftOut.has(name)) this.#leftOut.set(name, this.#now());
    const isFree = !this.isHeld(name) && (!this.isOn(name) || this.isLeftOut(name));
    if (isNow && !wasThen && isFree) this.#leftOut.set(name, undefined);
  }

  sent(life: Life, request: TransportRequest): void {
    const kind = writeOf(request)?.kind;
    if (kind !== 'sync' && kind !== 'project') return;
    if (!this.#awake.has(life)) this.#awake.set(life, this.#now());
    if (kind !== 'sync' || this.#asked.has(life)) return;
    this.#asked.add(life);
    for (const project of this.#world.reading.projects.values()) this.#guard(project);
    for (const [project, since] of this.#robbed)
      if (life.begun > since) this.#robbed.delete(project);
  }

  ended(life: Life, _: End): void {
    this.#awake.delete(life);
  }

  #projectChanged(project: KubeObject): void {
    const { name } = project.metadata;
    const before = this.#held.get(name)?.size ?? 0;
    const names = windowsOf(project)
      .filter(isHold)
      .flatMap(({ applications = [] }) => applications);
    this.#held.set(name, new Set(names));
    for (const one of names) if (this.#leftOut.get(one) !== undefined) this.#leftOut.delete(one);
    if (names.length > 0) {
      this.#guard(name);
      this.#robbed.delete(name);
    }
    // The harness' own fault takes everything away, other people's windows as well.
    else if (windowsOf(project).length === 0 && before > 0) this.#robbed.set(name, this.#now());
  }

  /** From now on only what is in flight, or has just ended, may have been overlooked. */
  #guard(project: string): void {
    if (this.#guarded.has(project)) return;
    this.#guarded.add(project);
    for (const [name, ended = this.#now()] of this.#leftOut) {
      const isOld = this.#now() - ended > this.#delay;
      if (isOld && this.#projectOf(name) === project) this.#leftOut.delete(name);
    }
  }

  #projectOf(name: string): string {
    return this.#world.reading.projects.get(name) ?? '';
  }
}

export const isAutomated = (object: KubeObject): boolean =>
  (object as unknown as Application).operation?.initiatedBy?.automated === true;
