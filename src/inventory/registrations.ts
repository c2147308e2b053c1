// Secrets with which Argo CD registers clusters, if an Application of the platform has them: without its Secret, Argo CD deletes nothing
// more in a cluster. The Secret does not show its cluster, because Argo CD masks its content: a cluster counts as safe if one of these
// Applications is deleted after all Applications that deploy to it.
import { buildGraph, type Graph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import { quote } from '../model/names.ts';
import type { Plan } from '../plan/plan.ts';
import { type ApplicationView, renderResource } from '../ports/application-view.ts';
import { deletedObjects, type Found, mayBeOwn } from './fate.ts';
import type { Finding } from './inventory.ts';

/** `outside`: Applications of the platform outside the scope, which stay. */
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

/** It is deleted with its Application. */
const registrationOf = (one: Found, argocdNamespace: string) =>
  mayBeOwn(one.place)
    ? deletedObjects(one).find((it) => it.registersCluster && it.namespace === argocdNamespace)
    : undefined;

function isLast(holder: Found, others: readonly Found[], graph: Graph): boolean {
  const earlier = reach(graph.dependencies, [numberOf(graph.numbers, holder.id)]);
  return others.every(({ id }) => id !== holder.id && earlier[numberOf(graph.numbers, id)] === 1);
}

type Advice = (names: string, by: string) => string;
const downFirst: Advice = (names) => `Tear down ${names} first`;
const dependOn: Advice = (names, by) => `Make ${names} depend on ${by} in the platform file`;

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
    message: `${by} has ${secret ? renderResource(secret) : 'a Secret'}, which registers a cluster in Argo CD, and the plan does not delete ${names} before it: if that cluster is ${cluster}, Argo CD could no longer delete anything there.`,
    hint: `${advice(names, by)}, or give the Secret the annotation argocd.argoproj.io/sync-options: Delete=false in Git, and sync ${by}.`,
  };
}
