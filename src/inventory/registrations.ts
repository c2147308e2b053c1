// Secrets by which Argo CD knows clusters, where an Application of the platform has them: without its Secret, Argo CD deletes
// nothing more in a cluster. The Secret does not show whose it is, since Argo CD masks what is in it: a cluster is taken for
// safe where one of these Applications goes after all that deploy to it.
import { buildGraph, type Graph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import { quote } from '../model/names.ts';
import type { Plan } from '../plan/plan.ts';
import { type ApplicationView, renderResource } from '../ports/application-view.ts';
import { deletedObjects, type Found, mayBeOwn } from './fate.ts';
import type { Finding } from './inventory.ts';

/** `outside`: Applications of the platform that are outside of the scope, and so stay. */
export function earlyRegistrations(
  plan: Plan,
  found: readonly Found[],
  argocdNamespace: string,
  outside: readonly ApplicationView[],
): Finding[] {
  const holders = found.filter((one) => registrationOf(one, argocdNamespace));
  const [first] = holders;
  if (!first) return [];
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  const clusters = new Set(
    [...found.map(({ view }) => view), ...outside].flatMap((view) => view.remoteCluster ?? []),
  );
  return [...clusters].flatMap((cluster) => {
    const staying = outside.filter((view) => view.remoteCluster === cluster);
    const all = found.filter(({ view }) => view.remoteCluster === cluster);
    if (staying.length > 0) return [early(cluster, staying, first, argocdNamespace, downFirst)];
    if (holders.some((one) => isLast(one, all, graph))) return [];
    const views = all.map(({ view }) => view);
    return [early(cluster, views, first, argocdNamespace, dependOn)];
  });
}

/** It goes with its Application. */
const registrationOf = (one: Found, argocdNamespace: string) =>
  mayBeOwn(one.place)
    ? deletedObjects(one).find((it) => it.registersCluster && it.namespace === argocdNamespace)
    : undefined;

function isLast(holder: Found, others: readonly Found[], graph: Graph): boolean {
  const earlier = reach(graph.dependencies, [numberOf(graph.numbers, holder.id)]);
  return others.every(({ id }) => id !== holder.id && earlier[numberOf(graph.numbers, id)] === 1);
}

type Advice = (names: string, by: string) => string;
const downFirst: Advice = (names) => `Take ${names} down first`;
const dependOn: Advice = (names, by) => `Let ${names} depend on ${by} in the platform file`;

function early(
  cluster: string,
  late: readonly ApplicationView[],
  holder: Found,
  argocdNamespace: string,
  advice: Advice,
): Finding {
  const secret = registrationOf(holder, argocdNamespace);
  const by = quote(holder.view.name);
  const names = late.map(({ name }) => quote(name)).join(', ');
  return {
    code: 'registration-early',
    node: holder.id,
    message: `${by} has ${secret ? renderResource(secret) : 'a Secret'}, by which Argo CD knows a cluster, and the plan does not delete ${names} before it: if it is ${cluster}, Argo CD could delete nothing there any more.`,
    hint: `${advice(names, by)}, or give the Secret the annotation argocd.argoproj.io/sync-options: Delete=false in Git, and sync ${by}.`,
  };
}
