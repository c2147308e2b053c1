// Any objects of the cluster, by kind and name.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { ResourceName } from '../../ports/application-view.ts';
import type {
  ClusterObjects,
  ListedObject,
  PresentObject,
  Unlisted,
} from '../../ports/cluster-objects.ts';
import { instanceOf } from '../../ports/tracking.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { Discovery, orUnknown, type ServedKind } from './discovery.ts';
import { atPath, invalidAnswer, parsed } from './errors.ts';
import { listAll } from './list.ts';
import { escaped, onlyNamed } from './paths.ts';

const object = z.object({
  metadata: z.object({
    name: z.string(),
    namespace: fields.text,
    uid: z.string(),
    annotations: fields.texts,
    finalizers: list(z.string()),
    ownerReferences: list(z.unknown()),
    deletionTimestamp: optional(z.iso.datetime()),
  }),
});

export function kubernetesObjects(
  api: KubernetesApi,
  discovery = new Discovery(api),
): ClusterObjects {
  const all = (served: ServedKind, namespace?: string) => listed(api, served, namespace);
  return {
    get: (resource) => orUnknown(() => present(api, discovery, resource)),
    list: (kind, namespace) =>
      orUnknown(async () => {
        const served = await discovery.find(kind);
        return served ? await all(served, namespace) : [];
      }),
    contents: (namespace) =>
      orUnlisted(async () => {
        const kinds = await discovery.namespaced();
        const found = await Promise.all(kinds.map((served) => inside(api, served, namespace)));
        // Events and some others are served twice, under an old group and a new one.
        return [...new Map(found.flat().map((one) => [one.uid, one])).values()];
      }),
    remove: async (resource, uid) => {
      const path = await pathOf(discovery, resource);
      if (path === undefined) return GONE;
      const options = { propagationPolicy: 'Foreground', preconditions: { uid } };
      return await api.write('DELETE', path, options);
    },
    prepareFinalizerRemoval: (resource, uid) => finalizerRemoval(api, discovery, resource, uid),
  };
}

/** If one kind cannot be listed, something may be there. */
async function orUnlisted<T>(read: () => Promise<T>): Promise<T | Unlisted> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TiphysError)) throw error;
    return { unlisted: error.message };
  }
}

/** All of a kind in a namespace. Throws where it cannot be listed, for any reason. */
async function inside(
  api: KubernetesApi,
  served: ServedKind,
  namespace: string,
): Promise<ListedObject[]> {
  const path = collection(served, namespace);
  return await atPath(path, async () => {
    if (!served.verbs.includes('list')) throw invalidAnswer('it cannot be listed');
    const { resourceVersion, items } = await listAll(api, path);
    if (resourceVersion === undefined)
      throw invalidAnswer('the API server lists this resource but does not serve it');
    return items.map((item) => listedObject(served, item));
  });
}

const GONE: WriteResult = { kind: 'refused', reason: 'not-found', message: 'it is gone' };
const OTHER: WriteResult = {
  ...{ kind: 'refused', reason: 'conflict', message: 'it is not the stuck object' },
};

/** A version that is not served any more has no objects: the API server is asked where the kind is now. */
async function present(
  api: KubernetesApi,
  discovery: Discovery,
  resource: ResourceName,
): Promise<PresentObject | undefined> {
  const served = await discovery.find(resource);
  const found = served && (await search(api, served, resource));
  if (found !== 'not served') return found;
  discovery.forget(resource);
  const again = await discovery.find(resource);
  const other = again && again.root !== served?.root && (await search(api, again, resource));
  return other && other !== 'not served' ? other : undefined;
}

/**
 * By `list`, since `get` is the greater right: given for all resources of a group it includes subresources such as pods/exec.
 * Some servers of other APIs ignore the selector.
 */
async function search(
  api: KubernetesApi,
  served: ServedKind,
  { namespace, name }: ResourceName,
): Promise<PresentObject | 'not served' | undefined> {
  const path = collection(served, namespace);
  const { resourceVersion, items } = await listAll(api, path, onlyNamed(name));
  if (resourceVersion === undefined) return 'not served';
  const found = items.find((item) => {
    const { metadata } = parsed(object, item);
    return metadata.name === name && (!served.namespaced || metadata.namespace === namespace);
  });
  return found === undefined ? undefined : presentObject(found);
}

async function pathOf(
  discovery: Discovery,
  { namespace, name, ...kind }: ResourceName,
): Promise<string | undefined> {
  const served = await discovery.find(kind);
  return served && `${collection(served, namespace)}/${escaped(name)}`;
}

export function collection(
  { root, plural, namespaced }: ServedKind,
  namespace: string | undefined,
) {
  const place = namespaced && namespace ? `/namespaces/${escaped(namespace)}` : '';
  return `${root}${place}/${plural}`;
}

async function listed(
  api: KubernetesApi,
  served: ServedKind,
  namespace: string | undefined,
): Promise<ListedObject[]> {
  const { items } = await listAll(api, collection(served, namespace));
  return items.map((item) => listedObject(served, item));
}

function listedObject(served: ServedKind, item: unknown): ListedObject {
  const { group, kind } = served;
  const { metadata } = parsed(object, item);
  const { name, namespace, uid, ownerReferences } = metadata;
  return {
    ...{ group, kind, name, namespace, uid, owned: ownerReferences.length > 0 },
    tracker: instanceOf(served, metadata),
    deletingSince: secondsOf(metadata.deletionTimestamp),
  };
}

/** The whole object is given back without them, and only if it was not written meanwhile. */
async function finalizerRemoval(
  api: KubernetesApi,
  discovery: Discovery,
  resource: ResourceName,
  uid: string,
): Promise<() => Promise<WriteResult>> {
  const path = await pathOf(discovery, resource);
  const given = path && (await api.get(path));
  if (!path || !given) return async () => GONE;
  const { metadata } = parsed(object, given);
  if (metadata.uid !== uid || metadata.deletionTimestamp === undefined) {
    return async () => OTHER;
  }
  const whole = given as { readonly metadata: object };
  const without = { ...whole, metadata: { ...whole.metadata, finalizers: [] } };
  return () => api.write('PUT', path, without);
}

function presentObject(given: unknown): PresentObject {
  const { uid, finalizers, deletionTimestamp } = parsed(object, given).metadata;
  return { uid, finalizers, deletingSince: secondsOf(deletionTimestamp) };
}

function secondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Math.floor(Date.parse(time) / 1000);
}
