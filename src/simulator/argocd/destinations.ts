// The clusters that Applications deploy to, each with Argo CD's picture of it.
import type { Objects } from '../cluster/object-store.ts';
import type { Random } from '../random.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Application } from './application.ts';
import { type Changed, LiveCache } from './live-cache.ts';

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

/** Argo CD's names for the cluster that it runs in. */
const OWN: ReadonlySet<string> = new Set(['', 'https://kubernetes.default.svc', 'in-cluster']);

export function destinations(
  { time, random, objects: ownObjects, cluster }: Parts,
  changed: Changed,
): (application: Application) => Destination {
  const pictured = (objects: Objects): Destination => ({
    objects,
    cache: new LiveCache(time, random, objects, changed),
  });
  const own = pictured(ownObjects);
  const others = new Map<string, Destination>();
  return ({ spec: { destination } }) => {
    const called = destination.server || destination.name || '';
    if (OWN.has(called)) return own;
    const other = others.get(called) ?? pictured(cluster(called));
    others.set(called, other);
    return other;
  };
}
