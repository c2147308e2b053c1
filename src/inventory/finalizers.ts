// Who serves the finalizers of what is deleted, and whether it is still there when it is needed. All that can be known from
// outside is who defines the object's kind and runs something: that is where an operator is, and nowhere else is looked.
import { buildGraph, numberOf } from '../graph/graph.ts';
import { reach } from '../graph/reach.ts';
import { quote } from '../model/names.ts';
import type { Plan } from '../plan/plan.ts';
import { type ManagedObject, renderResource } from '../ports/application-view.ts';
import { deletedObjects, type Found, isApplication, nameOf } from './fate.ts';
import type { Finding, ServedFinalizer } from './inventory.ts';

const isWorkload = ({ group, kind }: ManagedObject): boolean =>
  group === 'apps' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(kind);

/** Those of Kubernetes itself. Others that look alike are served by drivers and clouds. */
const BUILT_IN = new Set([
  'kubernetes',
  'foregroundDeletion',
  'orphan',
  'kubernetes.io/pvc-protection',
  'kubernetes.io/pv-protection',
  'batch.kubernetes.io/job-tracking',
]);

/** On what one Application of these has. */
export function finalizersOf(one: Found, all: readonly Found[]): ServedFinalizer[] {
  return foreign(one).flatMap((object) => {
    const servedBy = serversOf(object, one, all).map(({ view }) => view.name);
    return object.finalizers
      .filter(isForeign)
      .map((finalizer) => ({ resource: nameOf(object), finalizer, servedBy }));
  });
}

/** What is deleted and waits for somebody who is neither Kubernetes nor Argo CD. */
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

/** Objects whose finalizers nobody may be left to serve. */
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
      message: `${renderResource(object)} may hang: its finalizer is served by the same Application, whose workloads go no later.`,
      hint: 'Give it a higher sync wave than them, or an Application of its own that depends on this one.',
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
  const when = turned ? 'goes earlier' : 'may go earlier';
  return [
    {
      code: 'finalizer-deadlock',
      node: one.id,
      message: `${renderResource(object)} of ${name} may hang: its finalizer seems to be served by ${other}, which ${when}.`,
      hint: turned
        ? `Let ${name} depend on ${other} in the platform file, and not the other way round.`
        : `Let ${name} depend on it in the platform file: dependsOn: [${server.view.name}].`,
    },
  ];
}

/** Which node of a plan waits for which, over any number of steps. */
function orderOf(plan: Plan): (later: string, earlier: string) => boolean {
  const graph = buildGraph(new Map(plan.nodes.map(({ id, dependsOn }) => [id, dependsOn])));
  const reached = new Map<string, Uint8Array>();
  return (later, earlier) => {
    const known = reached.get(later) ?? reach(graph.dependencies, [numberOf(graph.numbers, later)]);
    reached.set(later, known);
    return known[numberOf(graph.numbers, earlier)] === 1;
  };
}
