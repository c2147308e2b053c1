// S3: one attempt makes one operation, and another attempt has a reason. S6: never more in work than the platform allows.

import type { RunEvent } from '../../../src/run/events.ts';
import type { Application, Operation } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import type { Truth } from '../truth.ts';
import { type Accuse, operationIn, type Witness } from '../witness.ts';

interface Known {
  readonly id: string;
  readonly uid: string;
  phase: string | undefined;
  revision: string | undefined;
  /** Something has gone wrong since its end, or Git has moved on. */
  hadReason: boolean;
  /** Somebody else's operation has taken its place. */
  isForgotten: boolean;
}

export interface OperationsParts {
  readonly world: World;
  readonly truth: Pick<Truth, 'of' | 'application'>;
  readonly head: () => string;
  /** What Git wants of an application at a revision. */
  readonly wantedAt: (application: string, revision: string) => unknown;
  readonly accuse: Accuse;
}

/** Of one operation, where nothing is in the way but revisions that take long to be resolved. */
const MOST_REQUESTS = 5;
const IN_THE_WAY = new Set(['api', 'token', 'argocd', 'watch', 'project']);

function isUnhindered({ mishaps: { faults, fates } }: World): boolean {
  const isSlow = faults.some(({ effect }) => effect === 'resolves-slowly');
  const others = faults.filter(({ subject }) => IN_THE_WAY.has(subject) || subject === 'git');
  return isSlow && fates.length === 0 && others.every(({ effect }) => effect === 'resolves-slowly');
}

export class Operations implements Witness {
  readonly #world: World;
  readonly #accuse: Accuse;
  readonly #parts: OperationsParts;
  /** Good since before the first command. */
  readonly #good = new Set<string>();
  /** LIFE OPERATION -> how often it was asked for. */
  readonly #requests = new Map<string, number>();
  readonly #ids = new Set<string>();
  /** Application -> the last one, of whatever run. */
  readonly #last = new Map<string, Known>();
  /** Application -> its operation of Tiphys that has not ended. */
  readonly #running = new Map<string, string>();
  /** Operation -> whoever asked for it. */
  readonly #askers = new Map<string, Life>();
  /** By the events of one life: asked for and not at its end. */
  readonly #inWork = new Map<Life, Set<string>>();
  accepted = 0;

  constructor(parts: OperationsParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#accuse = parts.accuse;
  }

  /** The first command is given: what is good now, and stays so, needs no sync. */
  begin(): void {
    const { world, truth } = this.#parts;
    for (const name of world.workloads.keys()) {
      const object = truth.application(name);
      if (object && isGood(object) && truth.of(name).inTruth.isGood) this.#good.add(name);
    }
  }

  changed({ type, object, before }: Change): void {
    if (object.kind !== 'Application') return;
    const { name } = object.metadata;
    const now = type === 'DELETED' ? undefined : idOf(object);
    const then = before && idOf(before);
    if (now !== undefined && now !== then) this.#begins(object, now);
    if (now === undefined && then !== undefined) this.#ends(object, then);
    // One that is terminated does nothing more, also where a window keeps it from ending.
    if (now === undefined || isTerminating(object)) this.#running.delete(name);
    if (type === 'DELETED' || !isGood(object)) this.#good.delete(name);
    const known = this.#last.get(name);
    if (known?.uid !== object.metadata.uid || known?.phase === undefined) return;
    if (this.#isChanged(name, known.revision) || this.#isReason(object)) known.hadReason = true;
    if (isAnothers(object, known.id)) known.isForgotten = true;
  }

  /** Commits elsewhere in the repository change nothing. */
  #isChanged(name: string, revision: string | undefined): boolean {
    const { head, wantedAt } = this.#parts;
    if (revision === undefined) return true;
    return revision !== head() && wantedAt(name, revision) !== wantedAt(name, head());
  }

  /** Where Argo CD lags behind its own operations it may ask for another one. */
  #isReason(object: KubeObject): boolean {
    const isStale = this.#world.mishaps.faults.some(({ effect }) => effect === 'stale');
    const { sync } = (object as unknown as Application).status ?? {};
    return isReason(object) || (isStale && sync?.status === 'OutOfSync');
  }

  #asked(life: Life, operation: string): void {
    const key = `${life.name} ${operation}`;
    const count = (this.#requests.get(key) ?? 0) + 1;
    this.#requests.set(key, count);
    if (isUnhindered(this.#world) && count === MOST_REQUESTS + 1)
      this.#accuse('L3', `${operation} was asked for ${count} times`);
  }

  happened(life: Life, event: RunEvent): void {
    // Who waits for people takes no place.
    const isAsking = event.type === 'node.waiting' && event.unmet.condition === 'approved';
    if (isAsking) this.#inWork.get(life)?.delete(event.node);
    if (event.type !== 'node.sync-requested' && event.type !== 'node.finished') return;
    if (event.type === 'node.sync-requested') {
      this.#askers.set(event.operation, life);
      this.#asked(life, event.operation);
    }
    if (!event.node.startsWith('app:')) return;
    const inWork = this.#inWork.get(life) ?? new Set();
    this.#inWork.set(life, inWork);
    if (event.type === 'node.finished') inWork.delete(event.node);
    else inWork.add(event.node);
    const most = this.#world.platform.spec.concurrency;
    if (inWork.size > most)
      this.#accuse('S6', `${inWork.size} applications are in work, ${most} are allowed`);
  }

  /** A pod that was lost, or whose lease was, tells no end: its place is free all the same. */
  left(life: Life, node: string): void {
    this.#inWork.get(life)?.delete(node);
  }

  #begins(object: KubeObject, id: string): void {
    const { name, uid = '' } = object.metadata;
    this.accepted++;
    const last = this.#last.get(name);
    if (this.#good.delete(name) && !last)
      this.#accuse('S3', `operation ${id} was accepted, and ${name} was good all the time`);
    // One that was made anew by somebody is another one; and what somebody wrote over is not known any more.
    if (this.#ids.has(`${uid} ${id}`) && !last?.isForgotten)
      this.#accuse('S3', `operation ${id} was accepted twice`);
    this.#ids.add(`${uid} ${id}`);
    const settled = last?.phase === 'Succeeded' && !last.hadReason && !last.isForgotten;
    if (last && last.uid === uid && settled && !this.#isTriedAgain(object, last.id, id)) {
      const state = `${last.id} had succeeded at the same revision, and nothing had happened since`;
      this.#accuse('S3', `operation ${id} was accepted although ${state}`);
    }
    const unknown = { phase: undefined, revision: undefined };
    this.#last.set(name, { id, uid, ...unknown, hadReason: false, isForgotten: false });
    if (this.#world.reading.parents.has(name)) return;
    this.#running.set(name, id);
    const most = Math.max(this.#world.platform.spec.concurrency, this.#leftBeside(id) + 1);
    if (this.#running.size > most)
      this.#accuse('S6', `${this.#running.size} operations are in flight, ${most} are allowed`);
  }

  /** Each command asks once more, and may meet what nobody prunes: it is OutOfSync all the time. */
  #isTriedAgain(object: KubeObject, last: string, id: string): boolean {
    const { resources = [] } = (object as unknown as Application).status ?? {};
    const isPruningLeft = resources.some(({ requiresPruning }) => requiresPruning);
    return isPruningLeft && this.#askers.get(last) !== this.#askers.get(id);
  }

  /** What others have left in flight may wait for what comes before it: so there may be one more. */
  #leftBeside(id: string): number {
    const asker = this.#askers.get(id);
    return [...this.#running.values()].filter((one) => this.#askers.get(one) !== asker).length;
  }

  #ends(object: KubeObject, id: string): void {
    const known = this.#last.get(object.metadata.name);
    const state = object.status?.operationState as
      | { phase: string; syncResult?: { revision: string } }
      | undefined;
    if (known?.id !== id) return;
    known.phase = state?.phase ?? 'gone';
    known.revision = state?.syncResult?.revision;
  }
}

function idOf({ operation }: KubeObject): string | undefined {
  return operationIn((operation as Operation | undefined)?.info);
}

/** What was left by a sync that somebody gave up is synced once more. */
function isGood(object: KubeObject): boolean {
  const { health, sync, conditions, operationState } =
    (object as unknown as Application).status ?? {};
  const isCalm = (conditions?.length ?? 0) === 0 && operationState?.phase !== 'Failed';
  return isCalm && health?.status === 'Healthy' && sync?.status === 'Synced';
}

/** What another attempt may be made for: it fell ill, or could not be compared. */
function isReason(object: KubeObject): boolean {
  const { health, sync, conditions } = (object as unknown as Application).status ?? {};
  const isIll = health?.status === 'Degraded' || sync?.status === 'Unknown';
  return isIll || (conditions?.length ?? 0) > 0;
}

const isTerminating = (object: KubeObject): boolean =>
  (object as unknown as Application).status?.operationState?.phase === 'Terminating';

function isAnothers(object: KubeObject, id: string): boolean {
  const { operation, status } = object as unknown as Application;
  return operationIn((operation ?? status?.operationState?.operation)?.info) !== id;
}
