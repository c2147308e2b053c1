// Applications of the plan that belong to another one of it: Argo CD deletes them with that one, so they must be deleted before it.
import { buildGraph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import { quote } from '../model/names.ts';
import type { Plan } from '../plan/plan.ts';
import { deletedObjects, type Found, isApplication } from './fate.ts';
import type { Finding } from './inventory.ts';

export function tooEarly(plan: Plan, found: readonly Found[]): Finding[] {
  const byUid = new Map(found.map((one) => [one.view.uid, one]));
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  return found.flatMap((holder) => {
    const taken = deletedObjects(holder)
      .filter(isApplication)
      .flatMap(({ uid }) => byUid.get(uid) ?? [])
      .filter(({ id }) => id !== holder.id);
    if (taken.length === 0) return [];
    const earlier = reach(graph.dependencies, [numberOf(graph.numbers, holder.id)]);
    return taken
      .filter(({ id }) => earlier[numberOf(graph.numbers, id)] !== 1)
      .map((one) => early(one, holder));
  });
}

function early({ id, view }: Found, holder: Found): Finding {
  const [name, by] = [quote(view.name), quote(holder.view.name)];
  return {
    code: 'application-early',
    node: id,
    message: `Application ${name} is in the Git of ${by} and would be deleted with it, but the plan does not delete ${name} before ${by}.`,
    hint: `Move it to the Git of its stack's parent, make it depend on ${by} in the platform file, or give it the annotation argocd.argoproj.io/sync-options: Delete=false in Git, and sync ${by}.`,
  };
}
