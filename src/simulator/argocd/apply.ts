// Creates what Git wants in the cluster, and deletes what it no longer wants.

import { type KubeObject, nameOf, type Objects, WriteRefused } from '../cluster/object-store.ts';
import { merged } from '../cluster/patch.ts';
import { isBuiltIn, kindOf } from '../cluster/served-kinds.ts';
import type { Application, ResultResource } from './application.ts';
import { contains, namesOf, versionOf } from './compare.ts';
import type { Control } from './control.ts';
import { hookOf, type Wanted, wantedOf } from './desired.ts';
import type { Destination } from './live-cache.ts';
import { isFrom } from './simulated-version.ts';

export function applyWanted(
  controller: Control,
  application: Application,
  { object, hook }: Wanted,
): ResultResource {
  const { objects } = controller.destination(application);
  const names = namesOf(object);
  makeNamespace(objects, application, object);
  const now = objects.namesake(object);
  const kind = names.kind.toLowerCase();
  const what = `${names.group ? `${kind}.${names.group}` : kind}/${names.name}`;
  const result = (message: string): ResultResource => ({
    ...names,
    syncPhase: hook ?? 'Sync',
    version: versionOf(object),
    ...(hook ? { hookType: hook } : {}),
    // Before 3.4 a hook loses it as soon as its health is looked at.
    ...(hook && !isFrom(4, controller.parts.settings()) ? {} : { status: 'Synced' }),
    hookPhase: 'Running',
    message: `${what} ${message}`,
  });
  // A hook is made anew each time.
  if (now && hook) objects.remove(now);
  if (!now || hook) {
    objects.create(object);
    return result('created');
  }
  if (contains(now, object)) return result('unchanged');
  objects.update(now, (live) => merged(live, object) as KubeObject);
  return result('configured');
}

/** Why the cluster cannot have this; undefined where it knows the kind. */
export function unknownKind({ objects }: Destination, object: KubeObject): string | undefined {
  const { group, kind, namespace, name } = namesOf(object);
  if (isBuiltIn(object.apiVersion, kind)) return undefined;
  const definitions = objects.list(kindOf('apiextensions.k8s.io/v1', 'CustomResourceDefinition'));
  const isIt = ({ spec }: KubeObject) =>
    spec?.group === group && (spec?.names as { kind?: string } | undefined)?.kind === kind;
  if (definitions.some(isIt)) return undefined;
  return `The Kubernetes API could not find ${group}/${kind} for requested resource ${namespace}/${name}. Make sure the "${kind}" CRD is installed on the destination cluster.`;
}

function makeNamespace(
  objects: Objects,
  { spec, operation }: Application,
  { apiVersion, kind, metadata }: KubeObject,
): void {
  const { namespace } = metadata;
  if (!kindOf(apiVersion, kind).namespaced || namespace === undefined) return;
  if (objects.get('v1', 'Namespace', undefined, namespace)) return;
  const options = operation?.sync?.syncOptions ?? spec.syncPolicy?.syncOptions ?? [];
  if (!options.includes('CreateNamespace=true') || namespace !== spec.destination.namespace) {
    throw new WriteRefused('not-found', `namespaces "${namespace}" not found`);
  }
  objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
}

/** Without the order to prune it is only said what would go. */
export function pruneLeft(
  controller: Control,
  application: Application,
  revision: string,
): readonly ResultResource[] {
  const { git } = controller.parts;
  const { objects, cache } = controller.destination(application);
  const wanted = new Set(wantedOf(git, application, revision).map(({ object }) => nameOf(object)));
  const left = cache
    .trackedBy(application.metadata.name)
    .filter((object) => !wanted.has(nameOf(object)) && hookOf(object) === undefined);
  const prunes = application.operation?.sync?.prune === true;
  return left.map((object) => {
    if (prunes) objects.remove(object);
    const status = prunes ? 'Pruned' : 'PruneSkipped';
    const message = prunes ? 'pruned' : 'ignored (requires pruning)';
    return { ...namesOf(object), syncPhase: 'Sync', version: versionOf(object), status, message };
  });
}
