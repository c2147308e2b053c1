// Distinguishes Argo CD's own cluster from destinations without a context: these may be the same cluster under another
// name. Only used where that decides what happens to an object, because it searches for names of other owners' objects.
import { deletedObjects, type Found } from '../../inventory/fate.ts';
import { isNamespace, type ManagedObject } from '../../ports/application-view.ts';
import type { Cluster } from '../../ports/target.ts';

export async function toldApart(
  found: readonly Found[],
  { objects }: Pick<Cluster, 'objects'>,
): Promise<Found[]> {
  const own = found.filter(({ place }) => place.cluster === '');
  const going = new Set(own.flatMap((one) => deletedObjects(one).filter(isNamespace).map(nameOf)));
  const used = new Set(own.flatMap((one) => (one.objects ?? []).map(({ namespace }) => namespace)));
  for (const { view } of found) used.add(view.namespace);
  const matters = (object: ManagedObject) =>
    going.has(object.namespace) || (isNamespace(object) && used.has(object.name));
  const others = new Set<string>();
  for (const { place, objects: shown } of found) {
    if (place.isSeen || others.has(place.cluster)) continue;
    const evidence = (shown ?? []).find(matters);
    if (!evidence) continue;
    const there = await objects.get(evidence);
    if (there !== 'unknown' && there?.uid !== evidence.uid) others.add(place.cluster);
  }
  return found.map((one) =>
    !one.place.isSeen && others.has(one.place.cluster)
      ? { ...one, place: { ...one.place, isOther: true } }
      : one,
  );
}

const nameOf = ({ name }: ManagedObject): string => name;
