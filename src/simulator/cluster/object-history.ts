// What a watch can still be told: the changes of each kind since a version, as far back as the API server remembers.

import type { Change, KubeObject, Objects } from './object-store.ts';
import { kindOf } from './served-kinds.ts';

export interface Noted {
  readonly version: number;
  readonly at: number;
  readonly line: () => string;
  readonly object: KubeObject;
  /** What it was until then. */
  readonly before: KubeObject | undefined;
  readonly isGone: boolean;
}

/** etcd keeps five minutes. */
const KEPT_MS = 300_000;
/** Looked through only now and then. */
const TIDY_EVERY = 256;

export class History {
  readonly #kinds = new Map<string, Noted[]>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #now: () => number;
  #oldest = 0;
  #sinceTidy = 0;

  constructor(objects: Objects, now: () => number) {
    this.#now = now;
    this.#oldest = objects.version;
    objects.onChange((change) => this.#note(change));
  }

  /** Undefined: that is too long ago. */
  since(kind: string, version: number): readonly Noted[] | undefined {
    if (version < this.#oldest) return undefined;
    const noted = this.#kinds.get(kind) ?? [];
    let from = noted.length;
    while (from > 0 && (noted[from - 1]?.version ?? 0) > version) from--;
    return noted.slice(from);
  }

  /** The object as it was at that moment, as far as that is remembered. */
  asOf(
    kind: string,
    namespace: string | undefined,
    name: string,
    at: number,
    now: KubeObject | undefined,
  ): KubeObject | undefined {
    const own = (this.#kinds.get(kind) ?? []).filter(
      ({ object: { metadata } }) => metadata.name === name && metadata.namespace === namespace,
    );
    const last = own.findLast((noted) => noted.at <= at);
    if (last) return last.isGone ? undefined : last.object;
    // What is forgotten is known from the first change since.
    return own[0] ? own[0].before : now;
  }

  /** What it returns ends it. */
  onChange(kind: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Forgets everything up to now. */
  compact(version: number): void {
    this.#oldest = Math.max(this.#oldest, version);
    for (const [kind, noted] of this.#kinds) {
      this.#kinds.set(
        kind,
        noted.filter((one) => one.version > this.#oldest),
      );
    }
  }

  #note({ type, object, before, version }: Change): void {
    const { id } = kindOf(object.apiVersion, object.kind);
    let line: string | undefined;
    const noted = this.#kinds.get(id) ?? [];
    this.#kinds.set(id, noted);
    noted.push({
      version,
      at: this.#now(),
      object,
      before,
      isGone: type === 'DELETED',
      line: () => {
        line ??= `{"type":"${type}","object":${textOf(object)}}`;
        return line;
      },
    });
    if (++this.#sinceTidy >= TIDY_EVERY) this.#tidy();
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }

  #tidy(): void {
    this.#sinceTidy = 0;
    const from = this.#now() - KEPT_MS;
    const old = [...this.#kinds.values()].flat().filter(({ at }) => at < from);
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
