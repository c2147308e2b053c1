// The API server's REST surface over the objects: what the client, kubectl and plain HTTP ask of it.

import { compareText } from '../../model/names.ts';
import { type History, type Reader, textOf } from './object-history.ts';
import {
  type Json,
  type KubeObject,
  type Objects,
  type Refused,
  WriteRefused,
} from './object-store.ts';
import { patched } from './patch.ts';
import type { Kind, ServedKinds } from './served-kinds.ts';

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
}

export interface Place {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const PATH =
  /^\/(?:api\/v1|apis\/([^/]+)\/([^/]+))(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/status)?$/;

export function placeOf(path: string, kinds: ServedKinds): Place | undefined {
  const [, group = '', version = 'v1', ...rest] = PATH.exec(path) ?? [];
  const [namespace, plural = '', name] = rest.map((part) => part && decodeURIComponent(part));
  const kind = kinds.at(group, version, plural);
  return kind && { kind, namespace, name };
}

/** The rest of a list in pages, as it was when the first was given. */
interface Left {
  readonly version: number;
  readonly items: readonly KubeObject[];
}

/**
 * A real API server reads every single object as it is now. Where one lags behind here, reads of Leases and the like do, too, which is
 * harsher; reports of a run, though, tell what its AppProjects show.
 */
const CONSISTENT = 'AppProject';
/** Who does not come back for the rest of a list is forgotten. */
const MOST_LEFT = 100;

export class Rest {
  readonly #objects: Objects;
  readonly #history: History;
  readonly #reader: Reader;
  readonly #denied: ReadonlySet<string>;
  readonly #left = new Map<string, Left>();
  #pages = 0;

  /** `denied`: what no user may do, as in `patch appprojects`. */
  constructor(
    objects: Objects,
    history: History,
    reader: Reader,
    denied: ReadonlySet<string> = new Set(),
  ) {
    this.#denied = denied;
    this.#objects = objects;
    this.#history = history;
    this.#reader = reader;
  }

  handle(request: RestRequest): RestAnswer {
    const found = discovery(request.path, this.#objects.kinds.all());
    if (found) return { status: 200, text: JSON.stringify(found) };
    if (request.path.endsWith('/selfsubjectaccessreviews')) return this.#review(request.body);
    if (request.path.endsWith('/selfsubjectreviews')) return SOMEBODY;
    const place = placeOf(request.path, this.#objects.kinds);
    if (!place) return NOT_SERVED;
    if (request.method === 'PATCH' && this.#denied.has(`patch ${place.kind.plural}`))
      return forbidden('patch', place);
    try {
      return this.#answer(request, place);
    } catch (error) {
      if (!(error instanceof WriteRefused)) throw error;
      return failure(...STATUS[error.reason], error.message);
    }
  }

  #review(body: unknown): RestAnswer {
    const { spec } = body as { spec?: { resourceAttributes?: Record<string, string> } };
    const { verb, resource } = spec?.resourceAttributes ?? {};
    const status = { allowed: !this.#denied.has(`${verb} ${resource}`) };
    return { status: 201, text: JSON.stringify({ kind: 'SelfSubjectAccessReview', status }) };
  }

  #answer({ method, query, body }: RestRequest, place: Place): RestAnswer {
    if (place.name === undefined) {
      if (method === 'GET') return this.#list(place, query);
      if (method === 'POST') return this.#create(inPlace(body, place));
      return NOT_ALLOWED;
    }
    if (method === 'PUT') return written(200, this.#objects.replace(inPlace(body, place)));
    const { kind, namespace, name } = place;
    const from = method === 'GET' && kind.kind !== CONSISTENT ? this.#reader : this.#objects;
    const now = from.get(kind.apiVersion, kind.kind, namespace, name);
    if (!now) return failure(404, 'NotFound', `${kind.resource} "${name}" not found`);
    if (method === 'GET') return written(200, now);
    if (method === 'PATCH') return written(200, patched(this.#objects, now, body));
    if (method !== 'DELETE') return NOT_ALLOWED;
    const wanted = (body as { preconditions?: { uid?: string } } | undefined)?.preconditions?.uid;
    if (wanted !== undefined && wanted !== now.metadata.uid) return anotherUid(now, kind, wanted);
    if (propagation(query, body) === 'Orphan') this.#objects.disown(now);
    this.#objects.remove(now);
    const left = this.#objects.current(now);
    return left ? written(200, left) : removed(now, kind);
  }

  #create(object: KubeObject): RestAnswer {
    const { namespace } = object.metadata;
    if (namespace !== undefined && !this.#objects.get('v1', 'Namespace', undefined, namespace))
      return failure(404, 'NotFound', `namespaces "${namespace}" not found`);
    return written(201, this.#objects.create(object));
  }

  #all({ kind, namespace }: Place, query: URLSearchParams): Left {
    const items = this.#objects
      .list(kind, namespace)
      .filter(matching(query.get('labelSelector')))
      .filter(fieldsMatching(query.get('fieldSelector')))
      .sort(byName);
    return { version: this.#objects.version, items };
  }

  #list(place: Place, query: URLSearchParams): RestAnswer {
    const { kind } = place;
    const token = query.get('continue');
    // It may be asked for again: answers get lost.
    const found = token ? this.#left.get(token) : this.#all(place, query);
    const isOld = found && this.#history.since(kind.id, found.version) === undefined;
    if (!found || isOld) return expired(found?.version ?? 0);
    const { version, items: all } = found;
    const limit = Number(query.get('limit') ?? 0) || all.length;
    const page = all.slice(0, limit);
    const left = all.slice(limit);
    const metadata = {
      resourceVersion: String(version),
      ...(left.length > 0
        ? { continue: this.#keep({ version, items: left }), remainingItemCount: left.length }
        : {}),
    };
    const head = `{"apiVersion":"${kind.apiVersion}","kind":"${kind.kind}List"`;
    const items = page.map(textOf).join(',');
    const text = `${head},"metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
    return { status: 200, text };
  }

  /** Returns what the reader must send to continue. */
  #keep(left: Left): string {
    const token = `${left.version}.${++this.#pages}`;
    this.#left.set(token, left);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MOST_LEFT && oldest !== undefined) this.#left.delete(oldest);
    return token;
  }
}

const STATUS: Readonly<Record<Refused, readonly [number, string]>> = {
  'not-found': [404, 'NotFound'],
  conflict: [409, 'Conflict'],
  exists: [409, 'AlreadyExists'],
  invalid: [422, 'Invalid'],
};

export function failure(code: number, reason: string, message: string): RestAnswer {
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  return { status: code, text: JSON.stringify({ ...head, message, reason, code }) };
}

export const NOT_SERVED = failure(
  404,
  'NotFound',
  'the server could not find the requested resource',
);

export const expired = (version: number): RestAnswer =>
  failure(410, 'Expired', `too old resource version: ${version}`);

/** There are no logins here. */
const USER = 'rehearsal';

const SOMEBODY: RestAnswer = {
  status: 201,
  text: JSON.stringify({
    kind: 'SelfSubjectReview',
    status: { userInfo: { username: USER } },
  }),
};

function forbidden(verb: string, { kind, namespace, name }: Place): RestAnswer {
  const { resource, plural, group } = kind;
  const message = `${resource} "${name}" is forbidden: User "${USER}" cannot ${verb} resource "${plural}" in API group "${group}" in the namespace "${namespace}"`;
  return failure(403, 'Forbidden', message);
}

function anotherUid({ metadata }: KubeObject, { plural }: Kind, wanted: string): RestAnswer {
  const message = `Operation cannot be fulfilled on ${plural} "${metadata.name}": the UID in the precondition (${wanted}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
  return failure(409, 'Conflict', message);
}

const NOT_ALLOWED = failure(
  405,
  'MethodNotAllowed',
  'the server does not allow this method on the requested resource',
);

const written = (status: number, object: KubeObject): RestAnswer => ({
  status,
  text: textOf(object),
});

function removed({ metadata: { name, uid } }: KubeObject, { plural, group }: Kind): RestAnswer {
  const details = { name, kind: plural, uid, ...(group ? { group } : {}) };
  const head = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return { status: 200, text: JSON.stringify(head) };
}

function propagation(query: URLSearchParams, body: unknown): string | undefined {
  const { propagationPolicy } = (body ?? {}) as { propagationPolicy?: string };
  return query.get('propagationPolicy') ?? propagationPolicy;
}

function inPlace(body: unknown, { kind, namespace, name }: Place): KubeObject {
  const given = body as KubeObject;
  const metadata = {
    ...given.metadata,
    name: name ?? given.metadata.name,
    ...(kind.namespaced ? { namespace: namespace ?? given.metadata.namespace ?? 'default' } : {}),
  };
  return { ...given, apiVersion: kind.apiVersion, kind: kind.kind, metadata };
}

function matching(selector: string | null): (object: KubeObject) => boolean {
  if (!selector) return () => true;
  const parts = selector.split(',').map((part) => part.split(/==?/));
  // A key alone: the label is there, with any value.
  const has = ({ labels = {} }: KubeObject['metadata']) =>
    parts.every(([key = '', value = labels[key]]) => key in labels && labels[key] === value);
  return ({ metadata }) => has(metadata);
}

export function fieldsMatching(selector: string | null): (object: KubeObject) => boolean {
  const name = /^metadata\.name=(.*)$/.exec(selector ?? '')?.[1]?.replace(/\\(.)/g, '$1');
  return name === undefined ? () => true : ({ metadata }) => metadata.name === name;
}

function byName({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  return compareText(`${a.namespace ?? ''}/${a.name}`, `${b.namespace ?? ''}/${b.name}`);
}

/** So that kubectl finds its way. */
function discovery(path: string, served: readonly Kind[]): Json | undefined {
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.0-rehearsal' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  const groups = [...new Set(served.map(({ group }) => group))].filter((name) => name !== '');
  if (path === '/apis') {
    return {
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: groups.map((name) => groupOf(name, served)),
    };
  }
  const root = path.replace(/^\/apis?\//, '');
  const kinds = served.filter((kind) => path.startsWith('/api') && kind.apiVersion === root);
  const [first] = kinds;
  if (!first) return undefined;
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: first.apiVersion,
    resources: kinds.map(({ plural, kind, namespaced }) => ({
      ...{ name: plural, singularName: kind.toLowerCase(), namespaced, kind },
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    })),
  };
}

function groupOf(name: string, served: readonly Kind[]): Json {
  const own = served.filter(({ group }) => group === name);
  const versions = [...new Set(own.map(({ version }) => version))].map((version) => {
    return { groupVersion: `${name}/${version}`, version };
  });
  return { name, versions, preferredVersion: versions[0] };
}
