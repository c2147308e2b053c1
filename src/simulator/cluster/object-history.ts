// What a watch can still be told: the changes of each kind since a version, as far back as the API server keeps them.

import type { Change, KubeObject, Objects } from './object-store.ts';
import { kindOf } from './served-kinds.ts';

interface Noted extends Change {
  readonly at: number;
}

/** What reads may come from: the objects as they are, or as they were. */
export type Reader = Pick<Objects, 'get'>;

/** etcd keeps five minutes. */
const KEPT_MS = 300_000;
/** Looked through only now and then. */
const TIDY_EVERY = 256;

export class History {
  readonly #objects: Objects;
  readonly #kinds = new Map<string, Noted[]>();
  readonly #listeners = new Map<string, Set<(change: Change) => void>>();
  readonly #now: () => number;
  #oldest = 0;
  #sinceTidy = 0;

  constructor(objects: Objects, now: () => number) {
    this.#objects = objects;
    this.#now = now;
    this.#oldest = objects.version;
    objects.onChange((change) => this.#note(change));
  }

  /** Undefined: that is too long ago. */
  since(kind: string, version: number): readonly Noted[] | undefined {
    if (version < this.#oldest) return undefined;
    const noted = this.#kinds.get(kind) ?? [];
    return noted.slice(noted.findLastIndex((one) => one.version <= version) + 1);
  }

  /** Objects as they were at `moment`, as far as that is remembered; as they are where it is undefined. */
  reader(moment: () => number | undefined): Reader {
    return {
      get: (apiVersion, kind, namespace, name) => {
        const at = moment();
        const now = this.#objects.get(apiVersion, kind, namespace, name);
        if (at === undefined) return now;
        const own = (this.#kinds.get(kindOf(apiVersion, kind).id) ?? []).filter(
          ({ object: { metadata } }) => metadata.name === name && metadata.namespace === namespace,
        );
        const last = own.findLast((noted) => noted.at <= at);
        if (last) return last.type === 'DELETED' ? undefined : last.object;
        // What is forgotten is known from the first change since.
        return own[0] ? own[0].before : now;
      },
    };
  }

  /** What it returns ends it. */
  onChange(kind: string, listener: (change: Change) => void): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Forgets everything up to now. */
  compact(version: number): void {
    this.#oldest = Math.max(this.#oldest, version);
    for (const noted of this.#kinds.values()) {
      const kept = noted.findIndex((one) => one.version > this.#oldest);
      noted.splice(0, kept === -1 ? noted.length : kept);
    }
  }

  #note(change: Change): void {
    const { id } = kindOf(change.object.apiVersion, change.object.kind);
    const noted = this.#kinds.get(id) ?? [];
    this.#kinds.set(id, noted);
    noted.push({ ...change, at: this.#now() });
    if (++this.#sinceTidy >= TIDY_EVERY) this.#tidy();
    for (const listener of this.#listeners.get(id) ?? []) listener(change);
  }

  #tidy(): void {
    this.#sinceTidy = 0;
    const from = this.#now() - KEPT_MS;
    // Each list is in the order of its moments.
    const old = [...this.#kinds.values()].flatMap((noted) => {
      const young = noted.findIndex(({ at }) => at >= from);
      return noted.slice(0, young === -1 ? noted.length : young).at(-1) ?? [];
    });
    if (old.length > 0) this.compact(Math.max(...old.map(({ version }) => version)));
  }
}

const texts = new WeakMap<KubeObject, string>();

/** Each version of an object is written out once. */
export function textOf(object: KubeObject): string {
  const known = texts.get(object);
  if (known !== undefined) return known;
  const text = JSON.stringify(object);
  texts.set(object, text);
  return text;
}
