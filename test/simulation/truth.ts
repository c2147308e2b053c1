// How each application stands in truth, and as Argo CD shows it, at every moment. Read from the objects of the simulated cluster; nothing of the
// engine's judgement is in it.
import type { Change, KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { VERSION } from './land.ts';
import type { World } from './seeded-world.ts';

/** When something was good. */
export class Track {
  readonly #spans: { readonly from: number; to: number }[] = [];
  #isGood = false;
  #since = 0;

  set(isGood: boolean, now: number): void {
    if (isGood === this.#isGood) return;
    this.#isGood = isGood;
    this.#since = now;
    const last = this.#spans.at(-1);
    if (isGood) this.#spans.push({ from: now, to: Number.POSITIVE_INFINITY });
    else if (last) last.to = now;
  }

  get isGood(): boolean {
    return this.#isGood;
  }

  /** For how long it has not been good. */
  badFor(now: number): number {
    if (this.#isGood) return 0;
    return this.#spans.length === 0 ? Number.POSITIVE_INFINITY : now - this.#since;
  }

  wasGoodAfter(moment: number): boolean {
    return this.#spans.some(({ to }) => to > moment);
  }

  /** Whether it was good for so long without a break, after this moment and until now. */
  lasted(ms: number, after: number, now: number): boolean {
    return this.#spans.some(({ from, to }) => Math.min(to, now) - Math.max(from, after) >= ms);
  }
}

export interface Standing {
  readonly inTruth: Track;
  readonly asShown: Track;
}

export class Truth {
  readonly #world: World;
  readonly #now: () => number;
  readonly #standings = new Map<string, Standing>();
  readonly #deployments = new Map<string, KubeObject>();
  readonly #applications = new Map<string, KubeObject>();
  readonly #makers = new Map<string, string>();
  /** What was wanted when the first command was given. */
  #floor = { revision: 0, versions: new Map<string, number>() };
  #wantedAt = Number.POSITIVE_INFINITY;

  constructor(world: World, now: () => number) {
    this.#world = world;
    this.#now = now;
    for (const name of world.reading.gates.keys()) {
      this.#standings.set(name, { inTruth: new Track(), asShown: new Track() });
    }
    for (const [parent, children] of world.reading.children) {
      for (const child of children) this.#makers.set(child, parent);
    }
  }

  of(name: string): Standing {
    const standing = this.#standings.get(name);
    if (!standing) throw new Error(`no application ${name}`);
    return standing;
  }

  application(name: string): KubeObject | undefined {
    return this.#applications.get(name);
  }

  want(revision: string, versions: ReadonlyMap<string, number>): void {
    this.#floor = { revision: numberOf(revision), versions: new Map(versions) };
    this.#wantedAt = this.#now();
    for (const name of this.#standings.keys()) this.#look(name);
  }

  /** It has been shown good since the first command was given. */
  isThrough(name: string): boolean {
    return this.of(name).asShown.wasGoodAfter(this.#wantedAt);
  }

  changed({ type, object }: Change): void {
    const { name } = object.metadata;
    const of = object.kind === 'Application' ? this.#applications : this.#deployments;
    if (object.kind !== 'Application' && object.kind !== 'Deployment') return;
    if (type === 'DELETED') of.delete(name);
    else of.set(name, object);
    const application = object.kind === 'Application' ? name : name.replace(/-first$/, '');
    this.#look(application);
    const maker = this.#makers.get(application);
    if (object.kind === 'Application' && maker !== undefined) this.#look(maker);
  }

  #look(name: string): void {
    const standing = this.#standings.get(name);
    if (!standing) return;
    const now = this.#now();
    standing.inTruth.set(this.#isGood(name), now);
    standing.asShown.set(this.#isShownGood(name), now);
  }

  #isGood(name: string): boolean {
    if (!this.#applications.has(name)) return false;
    const children = this.#world.reading.children.get(name);
    if (children) return children.every((child) => this.#applications.has(child));
    const { make } = this.#world.workloads.get(name) ?? { make: 'plain' };
    const floor = this.#floor.versions.get(name) ?? 1;
    return (make === 'waves' ? [`${name}-first`, name] : [name]).every((deployment) => {
      const object = this.#deployments.get(deployment);
      return object !== undefined && versionOf(object) >= floor && isReady(object);
    });
  }

  #isShownGood(name: string): boolean {
    const application = this.#applications.get(name);
    if (!application?.status) return false;
    const { sync, health, resources } = application.status as {
      readonly sync?: { readonly status: string; readonly revision?: string };
      readonly health?: { readonly status?: string };
      readonly resources?: readonly unknown[];
    };
    return (
      sync?.status === 'Synced' &&
      numberOf(sync.revision ?? '') >= this.#floor.revision &&
      health?.status === 'Healthy' &&
      (resources?.length ?? 0) > 0
    );
  }
}

const versionOf = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.[VERSION] ?? 0);

/** As it is wanted now, not as it was wanted before. */
export function isReady({ metadata, spec, status }: KubeObject): boolean {
  const ready = Number(status?.readyReplicas ?? 0);
  return (
    ready >= Number(spec?.replicas ?? 1) &&
    Number(status?.observedGeneration ?? 0) >= (metadata.generation ?? 1)
  );
}

const DIGITS = 20;

/** Revisions of the simulated Git grow. */
function numberOf(revision: string): number {
  const number = Number.parseInt(revision.slice(-DIGITS), 16);
  return Number.isNaN(number) ? -1 : number;
}
