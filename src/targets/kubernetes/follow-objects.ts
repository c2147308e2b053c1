// Watches of single objects of any kind.
import { z } from 'zod';
import type { Watch } from '../../ports/application-watch.ts';
import { list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import type { Discovery } from './discovery.ts';
import { parsed } from './errors.ts';
import { collection } from './objects.ts';
import { onlyNamed, withQuery } from './paths.ts';
import { followWhereAllowed } from './watch.ts';

const written = z.object({
  metadata: z.object({ managedFields: list(z.object({ time: optional(z.iso.datetime()) })) }),
});

export function followObjects(api: KubernetesApi, discovery: Discovery): Watch['follow'] {
  return async (resource, changed, signal) => {
    const served = await discovery.find(resource).catch(() => undefined);
    if (!served?.verbs.includes('watch')) return undefined;
    const path = withQuery(collection(served, resource.namespace), onlyNamed(resource.name));
    let changedAt: number | undefined;
    const replace = (items: readonly unknown[]) => {
      // The first list says how it is; a later one comes after a gap in which anything may have happened.
      if (changedAt === undefined) changedAt = lastChange(items);
      else changed();
    };
    const events = { observe: changed, remove: changed, replace };
    const may = await followWhereAllowed({ api, path, events, signal });
    return may ? changedAt : undefined;
  };
}

/** In seconds, as the API server noted it. What is not there has not changed. */
function lastChange(items: readonly unknown[]): number {
  const times = items.map((item) => {
    const { managedFields } = parsed(written, item).metadata;
    const known = managedFields.flatMap(({ time }) => (time ? [Date.parse(time)] : []));
    return known.length > 0 ? Math.max(...known) : Number.POSITIVE_INFINITY;
  });
  return Math.floor(Math.max(0, ...times) / 1000);
}
