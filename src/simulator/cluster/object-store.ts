// Kubernetes objects in memory, with what the API server does to each: versions, uids, generations, finalizers, conflicts.
// An object is never changed, only replaced, so that whoever holds one holds a moment.
import type { Random } from '../random.ts';
import { isSame } from './same.ts';
import { type Kind, keyOf, kindOf } from './served-kinds.ts';

export type Json = { readonly [key: string]: unknown };

interface Metadata extends Json {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  }[];
}

export interface KubeObject extends Json {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec?: Json;
  readonly status?: Json;
}

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
  readonly before: KubeObject | undefined;
  readonly version: number;
}

export type Refused = 'not-found' | 'conflict' | 'exists' | 'invalid';

/** What the API server answers to a write that it does not carry out. */
export class WriteRefused extends Error {
  readonly reason: Refused;

  constructor(reason: Refused, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface ObjectsParts {
  readonly random: Random;
  /** The calendar, in milliseconds. */
  readonly now: () => number;
}

export class Objects {
  readonly #parts: ObjectsParts;
  /** Kind -> namespace/name -> object. */
  readonly #kinds = new Map<string, Map<string, KubeObject>>();
  readonly #listeners: ((change: Change) => void)[] = [];
  #version = 1000;

  constructor(parts: ObjectsParts) {
    this.#parts = parts;
  }

  get version(): number {
    return this.#version;
  }

  /** Called at each change, at once. */
  onChange(listener: (change: Change) => void): void {
    this.#listeners.push(listener);
  }

  get(
    apiVersion: string,
    kind: string,
    namespace: string | undefined,
    name: string,
  ): KubeObject | undefined {
    const known = kindOf(apiVersion, kind);
    return this.#of(known).get(keyOf(known, namespace, name));
  }

  /** The newest of this very object; undefined once it is gone, whoever has its name now. */
  current(object: KubeObject): KubeObject | undefined {
    const { name, namespace, uid } = object.metadata;
    const now = this.get(object.apiVersion, object.kind, namespace, name);
    return now?.metadata.uid === uid ? now : undefined;
  }

  list(kind: Kind, namespace?: string): KubeObject[] {
    const all = [...this.#of(kind).values()];
    return namespace === undefined
      ? all
      : all.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Every object of every kind. */
  all(): KubeObject[] {
    return [...this.#kinds.values()].flatMap((objects) => [...objects.values()]);
  }

  create(asked: KubeObject): KubeObject {
    const given = asked.kind === 'Namespace' ? { ...NAMESPACE, ...asked } : asked;
    const kind = kindOf(given.apiVersion, given.kind);
    const { name, namespace } = given.metadata;
    if (!NAME.test(name)) {
      throw new WriteRefused(
        'invalid',
        `${kind.kind} "${name}" is invalid: metadata.name: Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character`,
      );
    }
    if (this.#of(kind).has(keyOf(kind, namespace, name))) {
      throw new WriteRefused('exists', `${kind.plural}${group(kind)} "${name}" already exists`);
    }
    const metadata: Metadata = {
      ...given.metadata,
      uid: this.#uid(),
      generation: 1,
      creationTimestamp: this.#time(),
    };
    return this.#put('ADDED', { ...given, metadata }, undefined);
  }

  /** The whole object anew. Where it names a version, only if that is the newest one. */
  replace(given: KubeObject): KubeObject {
    const before = this.#existing(given);
    const { resourceVersion, uid } = given.metadata;
    const kind = kindOf(given.apiVersion, given.kind);
    const stale =
      resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion;
    if (stale || (uid !== undefined && uid !== before.metadata.uid)) {
      const message = `Operation cannot be fulfilled on ${kind.plural}${group(kind)} "${given.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`;
      throw new WriteRefused('conflict', message);
    }
    return this.#change(before, given);
  }

  /** Applies a change to the newest version of this very object. Undefined where it is gone. */
  update(object: KubeObject, change: (now: KubeObject) => KubeObject): KubeObject | undefined {
    const now = this.current(object);
    return now && this.#change(now, change(now));
  }

  /** What belongs to it belongs to nobody from now on. */
  disown({ metadata }: KubeObject): void {
    const isOwner = ({ uid }: { readonly uid: string }) => uid === metadata.uid;
    for (const object of this.all()) {
      const { ownerReferences: owners = [], ...rest } = object.metadata;
      if (!owners.some(isOwner)) continue;
      const ownerReferences = owners.filter((owner) => !isOwner(owner));
      this.#change(object, { ...object, metadata: { ...rest, ownerReferences } });
    }
  }

  /** Marks it for deletion, or removes it where nobody has to be waited for. In the foreground, what it owns goes first. */
  remove(object: KubeObject, how: 'background' | 'foreground' = 'background'): void {
    const now = this.current(object);
    if (!now) return;
    const waits = how === 'foreground' && OWNERS.has(now.kind);
    if (!isHeld(now) && !waits) {
      this.#drop(now);
      return;
    }
    if (now.metadata.deletionTimestamp !== undefined) return;
    const metadata = {
      ...now.metadata,
      deletionTimestamp: this.#time(),
      generation: (now.metadata.generation ?? 1) + 1,
      ...(waits ? { finalizers: [...(now.metadata.finalizers ?? []), FOREGROUND] } : {}),
    };
    const status = now.kind === 'Namespace' ? { status: { phase: 'Terminating' } } : {};
    this.#put('MODIFIED', { ...now, metadata, ...status }, now);
  }

  #change(before: KubeObject, after: KubeObject): KubeObject {
    const { uid, creationTimestamp, deletionTimestamp, namespace, name } = before.metadata;
    const kind = kindOf(before.apiVersion, before.kind);
    const grown = kind.hasStatus ? specChanged(before, after) : bodyChanged(before, after);
    const metadata: Metadata = {
      ...after.metadata,
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(namespace === undefined ? {} : { namespace }),
      generation: (before.metadata.generation ?? 1) + (grown ? 1 : 0),
      resourceVersion: before.metadata.resourceVersion ?? '',
    };
    // What is marked stays marked.
    const next: KubeObject = {
      ...after,
      metadata: deletionTimestamp === undefined ? metadata : { ...metadata, deletionTimestamp },
    };
    if (isSame(next, before)) return before;
    if (deletionTimestamp !== undefined && !isHeld(next)) {
      this.#drop(next);
      return next;
    }
    return this.#put('MODIFIED', next, before);
  }

  #existing({ apiVersion, kind, metadata }: KubeObject): KubeObject {
    const known = kindOf(apiVersion, kind);
    const now = this.get(apiVersion, kind, metadata.namespace, metadata.name);
    if (now) return now;
    throw new WriteRefused(
      'not-found',
      `${known.plural}${group(known)} "${metadata.name}" not found`,
    );
  }

  #put(type: 'ADDED' | 'MODIFIED', object: KubeObject, before: KubeObject | undefined): KubeObject {
    const kind = kindOf(object.apiVersion, object.kind);
    const version = ++this.#version;
    const stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(version) },
    };
    this.#of(kind).set(keyOf(kind, stored.metadata.namespace, stored.metadata.name), stored);
    this.#tell({ type, object: stored, before, version });
    return stored;
  }

  #drop(object: KubeObject): void {
    const kind = kindOf(object.apiVersion, object.kind);
    const version = ++this.#version;
    const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    this.#of(kind).delete(keyOf(kind, object.metadata.namespace, object.metadata.name));
    this.#tell({ type: 'DELETED', object: last, before: object, version });
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }

  #of({ id }: Kind): Map<string, KubeObject> {
    const known = this.#kinds.get(id);
    if (known) return known;
    const empty = new Map<string, KubeObject>();
    this.#kinds.set(id, empty);
    return empty;
  }

  #time(): string {
    return secondsText(this.#parts.now());
  }

  #uid(): string {
    const { random } = this.#parts;
    const part = (digits: number) =>
      random
        .whole(0, 16 ** digits - 1)
        .toString(16)
        .padStart(digits, '0');
    return `${part(8)}-${part(4)}-4${part(3)}-8${part(3)}-${part(8)}${part(4)}`;
  }
}

/** Of what owns something that runs, and that has to end first. */
export const FOREGROUND = 'foregroundDeletion';
const OWNERS = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);

/** The most that a name may be made of. */
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
/** A namespace is held until it is empty. */
const NAMESPACE = { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } } as const;

/** Somebody has to be waited for before it may go. */
function isHeld({ kind, metadata, spec }: KubeObject): boolean {
  const own = kind === 'Namespace' ? (spec?.finalizers as readonly string[] | undefined) : [];
  return Boolean(metadata.finalizers?.length || own?.length);
}

/** As Kubernetes writes times: whole seconds. */
export function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

const group = ({ group: name }: Kind) => (name === '' ? '' : `.${name}`);

function specChanged(before: KubeObject, after: KubeObject): boolean {
  return before.spec !== after.spec && !isSame(before.spec, after.spec);
}

/** Where status is no part of its own, every change counts but those of metadata. */
function bodyChanged(before: KubeObject, after: KubeObject): boolean {
  return Object.keys({ ...before, ...after }).some(
    (key) => key !== 'metadata' && before[key] !== after[key] && !isSame(before[key], after[key]),
  );
}
