// The clusters that Applications deploy to.
import type { Objects } from '../cluster/object-store.ts';
import type { Application } from './application.ts';
import type { Control, ControllerParts } from './control.ts';
import { type Changed, type Destination, LiveCache } from './live-cache.ts';

/** Argo CD's names for the cluster that it runs in. */
const OWN: ReadonlySet<string> = new Set(['', 'https://kubernetes.default.svc', 'in-cluster']);

const calledAs = ({ server, name }: Application['spec']['destination']): string =>
  server || name || '';

export const isOwnCluster = (destination: Application['spec']['destination']): boolean =>
  OWN.has(calledAs(destination));

export function destinations(
  { time, random, objects: ownObjects, cluster }: ControllerParts,
  changed: Changed,
): Control['destination'] {
  const pictured = (objects: Objects): Destination => ({
    objects,
    cache: new LiveCache(time, random, objects, changed),
  });
  const own = pictured(ownObjects);
  const others = new Map<string, Destination>();
  return ({ spec: { destination } }) => {
    if (isOwnCluster(destination)) return own;
    const called = calledAs(destination);
    const other = others.get(called) ?? pictured(cluster(called));
    others.set(called, other);
    return other;
  };
}
