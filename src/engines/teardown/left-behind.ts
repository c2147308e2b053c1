// Which Applications a teardown leaves: those with something that it needs itself, and those that can only be deleted after
// them.
import type { Found } from '../../inventory/fate.ts';
import type { LeftApplication, Policy } from '../../inventory/inventory.ts';
import { leftOf, neededObjects } from '../../inventory/primitives.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ManagedObject } from '../../ports/application-view.ts';
import type { Cluster } from '../../ports/target.ts';

/** `whole`: the plan of the whole platform, for any scope. */
export async function leftBehind(
  plan: Plan,
  whole: Plan,
  found: readonly Found[],
  policy: Policy,
  target: Pick<Cluster, 'namespace' | 'objects'>,
): Promise<LeftApplication[]> {
  const named = whole.nodes.flatMap(({ argocd }) => argocd?.project ?? []);
  const projects = new Set([...named, ...found.map(({ view }) => view.project)]);
  const needed = { argocdNamespace: target.namespace, projects };
  const kept = new Map<string, ManagedObject>();
  for (const one of found) {
    for (const object of neededObjects(one, policy, needed)) {
      if (!kept.has(one.id) && (await isOwn(object, one, target))) kept.set(one.id, object);
    }
  }
  return leftOf(plan, found, kept);
}

/** Other clusters may have an Argo CD, too. A cluster that is not known to be another one may be Argo CD's own. */
async function isOwn(
  object: ManagedObject,
  { place }: Found,
  { objects }: Pick<Cluster, 'objects'>,
): Promise<boolean> {
  if (place.cluster === '') return true;
  const own = await objects.get(object);
  return own === 'unknown' || own?.uid === object.uid;
}
