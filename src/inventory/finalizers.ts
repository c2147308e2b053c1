// Which application removes the finalizers of deleted objects, and whether it still exists when it is needed. From outside, only this is
// visible: which application defines the object's kind and runs workloads. That is where an operator is expected.
import { buildGraph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import { quote } from '../model/names.ts';
import type { Plan } from '../plan/plan.ts';
import { type ManagedObject, renderResource } from '../ports/application-view.ts';
import { deletedObjects, type Found, isApplication, nameOf } from './fate.ts';
import type { Finding, ServedFinalizer } from './inventory.ts';

const isWorkload = ({ group, kind }: ManagedObject): boolean =>
  group === 'apps' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind);

/** Finalizers of Kubernetes itself. Similar ones belong to drivers and clouds. */
const BUILT_IN = new Set([
  'kubernetes',
  'foregroundDeletion',
  'orphan',
  'kubernetes.io/pvc-protection',
  'kubernetes.io/pv-protection',
  'batch.kubernetes.io/job-tracking',
]);

/** On the resources of one of these Applications. */
export function finalizersOf(one: Found, all: readonly Found[]): ServedFinalizer[] {
  return foreign(one).flatMap((object) => {
    const servedBy = serversOf(object, one, all).map(({ view }) => view.name);
    return object.finalizers
      .filter(isForeign)
      .map((finalizer) => ({ resource: nameOf(object), finalizer, servedBy }));
  });
}

/** Deleted objects that wait for a controller other than Kubernetes and Argo CD. */
function foreign(one: Found): ManagedObject[] {
  return deletedObjects(one).filter(
    (object) => !isApplication(object) && object.finalizers.some(isForeign),
  );
}

function isForeign(finalizer: string): boolean {
  return !BUILT_IN.has(finalizer) && !finalizer.includes('argocd.argoproj.io');
}

/** An operator works in its own cluster. */
function serversOf({ group, kind }: ManagedObject, one: Found, all: readonly Found[]): Found[] {
  return all.filter(
    ({ place, objects = [] }) =>
      place.cluster === one.place.cluster &&
      objects.some(({ defines }) => defines?.group === group && defines.kind === kind) &&
      objects.some(isWorkload),
  );
}

/** Objects whose finalizers may have no controller left. */
export function deadlocks(plan: Plan, found: readonly Found[]): Finding[] {
  const waitsFor = orderOf(plan);
  return found.flatMap((one) =>
    foreign(one).flatMap((object) =>
      serversOf(object, one, found).flatMap((server) =>
        server === one ? within(one, object) : between(one, object, server, waitsFor),
      ),
    ),
  );
}

/** Argo CD deletes the highest wave first, and waits for it. */
function within(one: Found, object: ManagedObject): Finding[] {
  const workloads = (one.objects ?? []).filter(isWorkload);
  if (workloads.every(({ wave }) => wave < object.wave)) return [];
  return [
    {
      code: 'finalizer-deadlock',
      node: one.id,
      message: `${renderResource(object)} may get stuck: the same Application removes its finalizer, and its workloads are not deleted later.`,
      hint: 'Give it a higher sync wave than the workloads, or move it to a separate Application that depends on this one.',
    },
  ];
}

function between(
  one: Found,
  object: ManagedObject,
  server: Found,
  waitsFor: (later: string, earlier: string) => boolean,
): Finding[] {
  if (waitsFor(server.id, one.id)) return [];
  const [name, other] = [quote(one.view.name), quote(server.view.name)];
  const turned = waitsFor(one.id, server.id);
  const when = turned ? 'is deleted earlier' : 'may be deleted earlier';
  return [
    {
      code: 'finalizer-deadlock',
      node: one.id,
      message: `${renderResource(object)} of ${name} may get stuck: ${other} seems to remove its finalizer, and ${when}.`,
      hint: turned
        ? `Make ${name} depend on ${other} in the platform file, and not the other way round.`
        : `Make ${name} depend on it in the platform file: dependsOn: [${server.view.name}].`,
    },
  ];
}

/** Which node of a plan waits for which, transitively. */
function orderOf(plan: Plan): (later: string, earlier: string) => boolean {
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  const reached = new Map<string, Uint8Array>();
  return (later, earlier) => {
    const known = reached.get(later) ?? reach(graph.dependencies, [numberOf(graph.numbers, later)]);
    reached.set(later, known);
    return known[numberOf(graph.numbers, earlier)] === 1;
  };
}
