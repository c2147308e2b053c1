// S1: no sync is asked for unless everything that it depends on met its gate before, in truth and as Argo CD shows it, at or after its own sync of
// this run.
import type { Operation } from '../../../src/simulator/argocd/application.ts';
import type { Change } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import type { Standing, Track, Truth } from '../truth.ts';
import { type Accuse, operationIn, type Witness, writeOf } from '../witness.ts';

/** Argo CD's picture is so much older than the truth, at most. */
export const PICTURE_MS = 1_000;
/** Streams are opened again after a pause, lists are asked for again, silence is noticed after 90 s. */
const BLIND_MS = 200_000;

export class Gates implements Witness {
  readonly #world: World;
  readonly #truth: Truth;
  readonly #accuse: Accuse;
  readonly #now: () => number;
  readonly #dwell: number;
  readonly #delay: number;
  /** RUN APPLICATION -> when its first operation of that run that went well ended. */
  readonly #synced = new Map<string, number>();
  /** Requests whose dependencies were not good in truth, while Argo CD showed that they were. */
  deceived = 0;

  constructor(world: World, truth: Truth, now: () => number, accuse: Accuse) {
    this.#world = world;
    this.#truth = truth;
    this.#now = now;
    this.#accuse = accuse;
    this.#dwell = Number.parseInt(world.platform.spec.gate.dwell, 10) * 1000;
    this.#delay = watchDelay(world);
  }

  changed({ type, object, before }: Change): void {
    if (object.kind === 'Application' && type === 'DELETED') this.#forget(object.metadata.name);
    if (object.kind !== 'Application' || object.operation || !before?.operation) return;
    const state = object.status?.operationState as { phase: string; operation: Operation };
    const id = operationIn(state?.operation.info);
    if (state?.phase !== 'Succeeded') return;
    // After another client's operation it is as the run finds it.
    if (id === undefined) {
      this.#forget(object.metadata.name);
      return;
    }
    const key = `${id.split('/')[0]} ${object.metadata.name}`;
    if (!this.#synced.has(key)) this.#synced.set(key, this.#now());
  }

  /** What somebody makes anew, or syncs, is not as any run has left it. */
  #forget(application: string): void {
    for (const key of [...this.#synced.keys()])
      if (key.endsWith(` ${application}`)) this.#synced.delete(key);
  }

  sent(life: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (write?.kind !== 'sync') return;
    const id = operationIn((write.body as { infos?: unknown }).infos) ?? '';
    const run = id.split('/')[0] ?? '';
    for (const name of this.#world.reading.gates.get(write.application) ?? []) {
      this.#judge(life, run, write.application, name);
    }
  }

  #judge(life: Life, run: string, dependent: string, name: string): void {
    const { inTruth, asShown } = this.#truth.of(name);
    const after = this.#synced.get(`${run} ${name}`);
    const delay = this.#delay + asleep(life, this.#now());
    const shown = this.#problem(asShown, after, delay, 50);
    if (shown) this.#accuse('S1', `${dependent} was asked for while ${name} ${shown}, as shown`);
    const real = this.#problem(inTruth, after, delay, PICTURE_MS);
    if (!real || shown) return;
    if (isDeceiving(this.#world)) this.deceived++;
    else this.#accuse('S1', `${dependent} was asked for while ${name} ${real}, in truth`);
  }

  #problem(
    track: Track,
    after: number | undefined,
    delay: number,
    tolerance: number,
  ): string | undefined {
    const now = this.#now();
    const bad = track.badFor(now);
    if (bad === Number.POSITIVE_INFINITY) return 'had never been good';
    if (bad > delay + tolerance) return `had not been good for ${Math.round(bad / 100) / 10} s`;
    if (after === undefined || track.lasted(this.#dwell - tolerance, after, now)) return undefined;
    return `had not been good for its dwell of ${this.#dwell / 1000} s since its sync`;
  }
}

/** Argo CD cannot show what it did not see, or was not told. */
function isDeceiving({ mishaps }: World): boolean {
  return mishaps.faults.some(({ subject, effect }) => DECEIVING.has(`${subject} ${effect}`));
}

/** It is shown good, or was until just now, and is not so in truth. */
export function isDeceived(world: World, { asShown }: Standing, now: number): boolean {
  return isDeceiving(world) && asShown.badFor(now) <= watchDelay(world) + PICTURE_MS;
}

const DECEIVING = new Set([
  'argocd restart',
  'app healthy-too-early',
  'app flaps',
  'git unreachable',
]);

const BLINDING = new Set(['closes', 'breaks', 'expires', 'silent', 'loses', 'refused']);

/** How long the watch may take to tell of a change, in milliseconds. */
export function watchDelay({ mishaps, latency }: World): number {
  const watch = mishaps.faults.filter(({ subject }) => subject === 'watch');
  const late = watch.filter(({ effect }) => effect === 'late').map(({ by = 0 }) => by);
  const blind = watch.some(({ effect }) => BLINDING.has(effect)) ? BLIND_MS : 0;
  return 200 + 4 * latency + Math.max(0, ...late) * 1000 + blind;
}

/** Who has just woken up learns one thing after the other. */
export function asleep({ pauses }: Life, now: number): number {
  const last = pauses.at(-1);
  if (!last) return 0;
  return now - last.until < 30_000 ? now - last.from : 0;
}
