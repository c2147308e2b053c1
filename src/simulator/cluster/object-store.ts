// Kubernetes objects in memory, with what the API server does to each: versions, uids, generations, finalizers, conflicts.
// An object is never changed, only replaced, so that a reference to one is a snapshot.
import type { Random } from '../random.ts';
import { isSame } from './same.ts';
import { type Kind, keyOf, kindOf, ServedKinds } from './served-kinds.ts';

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

export class Objects {
  readonly kinds = new ServedKinds();
  readonly #random: Random;
  readonly #now: () => number;
  /** Kind -> namespace/name -> object. */
  readonly #byKind = new Map<string, Map<string, KubeObject>>();
  readonly #listeners: ((change: Change) => void)[] = [];
  #version = 1000;

  /** `now`: the calendar, in milliseconds. */
  constructor(random: Random, now: () => number) {
    this.#random = random;
    this.#now = now;
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

  /** What has the kind, the namespace and the name of this one. */
  namesake({ apiVersion, kind, metadata }: KubeObject): KubeObject | undefined {
    return this.get(apiVersion, kind, metadata.namespace, metadata.name);
  }

  /** The newest of this very object; undefined once it is gone, also if another one has its name now. */
  current(object: KubeObject): KubeObject | undefined {
    const now = this.namesake(object);
    return now?.metadata.uid === object.metadata.uid ? now : undefined;
  }

  list(kind: Kind, namespace?: string): KubeObject[] {
    const all = [...this.#of(kind).values()];
    return namespace === undefined
      ? all
      : all.filter(({ metadata }) => metadata.namespace === namespace);
  }

  /** Every object of every kind. */
  all(): KubeObject[] {
    return [...this.#byKind.values()].flatMap((objects) => [...objects.values()]);
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
      throw new WriteRefused('exists', `${kind.resource} "${name}" already exists`);
    }
    const made = { uid: this.#uid(), generation: 1, creationTimestamp: secondsText(this.#now()) };
    return this.#tell('ADDED', withMetadata(given, made), undefined);
  }

  /** The whole object anew. Where it names a version, only if that is the newest one. */
  replace(given: KubeObject): KubeObject {
    const { name, resourceVersion, uid } = given.metadata;
    const { resource } = kindOf(given.apiVersion, given.kind);
    const before = this.namesake(given);
    if (!before) throw new WriteRefused('not-found', `${resource} "${name}" not found`);
    const stale =
      resourceVersion !== undefined && resourceVersion !== before.metadata.resourceVersion;
    if (stale || (uid !== undefined && uid !== before.metadata.uid)) {
      const message = `Operation cannot be fulfilled on ${resource} "${name}": the object has been modified; please apply your changes to the latest version and try again`;
      throw new WriteRefused('conflict', message);
    }
    if (before.immutable === true && !isSame(contentOf(before), contentOf(given))) {
      const message = `${resource} "${name}" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`;
      throw new WriteRefused('invalid', message);
    }
    return this.#change(before, given);
  }

  /** Applies a change to the newest version of this very object. Undefined where it is gone. */
  update(object: KubeObject, change: (now: KubeObject) => KubeObject): KubeObject | undefined {
    const now = this.current(object);
    return now && this.#change(now, change(now));
  }

  /** What belongs to it has no owner from now on. */
  disown({ metadata }: KubeObject): void {
    const isOwner = ({ uid }: { readonly uid: string }) => uid === metadata.uid;
    for (const object of this.all()) {
      const { ownerReferences: owners = [], ...rest } = object.metadata;
      if (!owners.some(isOwner)) continue;
      const ownerReferences = owners.filter((owner) => !isOwner(owner));
      this.#change(object, { ...object, metadata: { ...rest, ownerReferences } });
    }
  }

  /** Marks it for deletion, or removes it if it has no finalizer. In the foreground, what it owns goes first. */
  remove(object: KubeObject, how: 'background' | 'foreground' = 'background'): void {
    const now = this.current(object);
    if (!now) return;
    const waits = how === 'foreground' && OWNERS.has(now.kind);
    const { deletionTimestamp, generation = 1, finalizers = [] } = now.metadata;
    if (!isHeld(now) && !waits) this.#tell('DELETED', now, now);
    else if (deletionTimestamp === undefined) {
      const marked = withMetadata(now, {
        deletionTimestamp: secondsText(this.#now()),
        generation: generation + 1,
        ...(waits ? { finalizers: [...finalizers, FOREGROUND] } : {}),
      });
      const status = now.kind === 'Namespace' ? { status: { phase: 'Terminating' } } : {};
      this.#tell('MODIFIED', { ...marked, ...status }, now);
    }
  }

  #change(before: KubeObject, after: KubeObject): KubeObject {
    const { namespace, generation = 1, deletionTimestamp, ...kept } = before.metadata;
    const kind = kindOf(before.apiVersion, before.kind);
    const grown = (kind.hasStatus ? ['spec'] : bodyOf(before, after)).some(
      (key) => before[key] !== after[key] && !isSame(before[key], after[key]),
    );
    // What is marked stays marked.
    const next = withMetadata(after, {
      name: kept.name,
      uid: kept.uid,
      creationTimestamp: kept.creationTimestamp,
      ...(namespace === undefined ? {} : { namespace }),
      generation: generation + (grown ? 1 : 0),
      resourceVersion: kept.resourceVersion,
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    });
    if (isSame(next, before)) return before;
    const isGone = deletionTimestamp !== undefined && !isHeld(next);
    if (!isGone) return this.#tell('MODIFIED', next, before);
    this.#tell('DELETED', next, next);
    return next;
  }

  #tell(type: Change['type'], object: KubeObject, before: KubeObject | undefined): KubeObject {
    const kind = kindOf(object.apiVersion, object.kind);
    const version = ++this.#version;
    const told = withMetadata(object, { resourceVersion: String(version) });
    const key = keyOf(kind, object.metadata.namespace, object.metadata.name);
    if (type === 'DELETED') this.#of(kind).delete(key);
    else this.#of(kind).set(key, told);
    for (const listener of this.#listeners) listener({ type, object: told, before, version });
    return told;
  }

  #of(kind: Kind): Map<string, KubeObject> {
    const known = this.#byKind.get(kind.id);
    if (known) return known;
    this.kinds.add(kind);
    const empty = new Map<string, KubeObject>();
    this.#byKind.set(kind.id, empty);
    return empty;
  }

  #uid(): string {
    const part = (digits: number) => {
      const number = this.#random.whole(0, 16 ** digits - 1);
      return number.toString(16).padStart(digits, '0');
    };
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

/** It has a finalizer to wait for. */
function isHeld({ kind, metadata, spec }: KubeObject): boolean {
  const own = kind === 'Namespace' ? (spec?.finalizers as readonly string[] | undefined) : [];
  return Boolean(metadata.finalizers?.length || own?.length);
}

/** As Kubernetes writes times: whole seconds. */
export function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Kind, namespace and name in one: no two objects of a cluster have the same. */
export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  const known = kindOf(apiVersion, kind);
  return `${known.id} ${keyOf(known, metadata.namespace, metadata.name)}`;
}

export const isDeleting = ({ metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp !== undefined;

/** The same object with some of its metadata changed. */
export function withMetadata<T extends KubeObject>(object: T, part: Json): T {
  return { ...object, metadata: { ...object.metadata, ...part } };
}

/** Where status is no subresource, every change counts but those of metadata. */
const bodyOf = (before: KubeObject, after: KubeObject): string[] =>
  Object.keys({ ...before, ...after }).filter((key) => key !== 'metadata');

/** Of a ConfigMap. */
const contentOf = ({ data, binaryData, immutable }: KubeObject): Json => ({
  ...{ data, binaryData, immutable },
});
