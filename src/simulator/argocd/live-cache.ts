// Argo CD's own picture of the cluster: what its watches have told it, in batches, some moments after it happened. What it
// compares with is this picture, not the cluster.

import { type Change, type KubeObject, nameOf, type Objects } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Random } from '../random.ts';
import type { VirtualTime } from '../virtual-time.ts';

export const TRACKING = 'argocd.argoproj.io/tracking-id';

/** A cluster that Applications deploy to, with Argo CD's picture of it. */
export interface Destination {
  readonly objects: Objects;
  readonly cache: LiveCache;
}

/** An object of this Application has changed. */
export type Changed = (
  application: string,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
) => void;

export class LiveCache {
  readonly #changed: Changed;
  readonly #objects = new Map<string, KubeObject>();
  /** Application -> names of what it tracks. */
  readonly #tracked = new Map<string, Set<string>>();
  /** Application -> keys of what carries a copy of its id. */
  readonly #copies = new Map<string, Set<string>>();
  #batch: Change[] = [];

  constructor(time: VirtualTime, random: Random, objects: Objects, changed: Changed) {
    this.#changed = changed;
    objects.onChange((change) => {
      this.#batch.push(change);
      if (this.#batch.length === 1) time.after(random.between(20, 120), () => this.#apply());
    });
  }

  /** What has the kind, the namespace and the name of this one. */
  get(object: KubeObject): KubeObject | undefined {
    return this.#objects.get(nameOf(object));
  }

  trackedBy(application: string): KubeObject[] {
    return this.#all(this.#tracked.get(application));
  }

  /** Objects of others with the annotations of what it tracks. */
  copiesOf(application: string): KubeObject[] {
    return this.#all(this.#copies.get(application));
  }

  #all(keys: Iterable<string> = []): KubeObject[] {
    return [...keys].flatMap((key) => this.#objects.get(key) ?? []);
  }

  #apply(): void {
    const batch = this.#batch;
    this.#batch = [];
    for (const change of batch) this.#take(change);
  }

  #take({ type, object }: Change): void {
    const key = nameOf(object);
    const before = this.#objects.get(key);
    const after = type === 'DELETED' ? undefined : object;
    if (after) this.#objects.set(key, after);
    else this.#objects.delete(key);
    note(this.#copies, key, copiedFrom(before), copiedFrom(after));
    const owners = new Set([trackerOf(before), trackerOf(after)]);
    for (const owner of owners) {
      if (owner === undefined) continue;
      const keys = this.#tracked.get(owner) ?? new Set();
      this.#tracked.set(owner, keys);
      if (trackerOf(after) === owner) keys.add(key);
      else keys.delete(key);
      this.#changed(owner, before, after);
    }
  }
}

function note(
  all: Map<string, Set<string>>,
  key: string,
  before: string | undefined,
  after: string | undefined,
): void {
  if (before !== undefined) all.get(before)?.delete(key);
  if (after !== undefined) all.set(after, (all.get(after) ?? new Set()).add(key));
}

/** The Application whose tracking id it carries, where the id is another object's. */
function copiedFrom(object: KubeObject | undefined): string | undefined {
  if (trackerOf(object) !== undefined) return undefined;
  return object?.metadata.annotations?.[TRACKING]?.split(':')[0];
}

/** The Application whose tracking id it carries, where the id is its own. */
export function trackerOf(object: KubeObject | undefined): string | undefined {
  const id = object?.metadata.annotations?.[TRACKING];
  if (!object || id === undefined) return undefined;
  const at = id.indexOf(':');
  return id.slice(at + 1) === trackedPart(object) ? id.slice(0, at) : undefined;
}

export function trackingId(application: string, object: KubeObject): string {
  return `${application}:${trackedPart(object)}`;
}

function trackedPart({ apiVersion, kind, metadata }: KubeObject): string {
  const { group } = kindOf(apiVersion, kind);
  return `${group}/${kind}:${metadata.namespace ?? ''}/${metadata.name}`;
}
