// The clusters that Applications deploy to, each with Argo CD's picture of it.
import type { KubeObject, Objects } from '../cluster/object-store.ts';
import type { Random } from '../random.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Application } from './application.ts';
import { LiveCache } from './live-cache.ts';

export interface Destination {
  readonly objects: Objects;
  readonly cache: LiveCache;
}

interface Parts {
  readonly time: VirtualTime;
  readonly random: Random;
  /** Of the cluster that Argo CD runs in. */
  readonly objects: Objects;
  /** Those of another one, by the server or name that destinations give. */
  readonly cluster: (called: string) => Objects;
}

type Changed = (
  application: string,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
) => void;

/** Argo CD's names for the cluster that it runs in. */
const OWN: ReadonlySet<string> = new Set(['', 'https://kubernetes.default.svc', 'in-cluster']);

export class Destinations {
  readonly #parts: Parts;
  readonly #changed: Changed;
  readonly #own: Destination;
  readonly #others = new Map<string, Destination>();

  constructor(parts: Parts, changed: Changed) {
    this.#parts = parts;
    this.#changed = changed;
    this.#own = this.#pictured(parts.objects);
  }

  of({ spec }: Application): Destination {
    const { server = '', name = '' } = spec.destination;
    const called = server || name;
    return OWN.has(called) ? this.#own : this.#other(called);
  }

  #other(called: string): Destination {
    const known = this.#others.get(called);
    if (known) return known;
    const made = this.#pictured(this.#parts.cluster(called));
    this.#others.set(called, made);
    return made;
  }

  #pictured(objects: Objects): Destination {
    const { time, random } = this.#parts;
    const delay = () => random.between(20, 120);
    return { objects, cache: new LiveCache({ time, objects, delay, changed: this.#changed }) };
  }
}
