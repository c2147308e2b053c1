// Deletion of an Application: with its finalizer its objects go first, the highest wave before the lower ones, each waited for.
import { isDeleting, type KubeObject, withMetadata } from '../cluster/object-store.ts';
import { type Application, BACKGROUND, FINALIZER } from './application.ts';
import type { Control } from './control.ts';
import { waveOf } from './desired.ts';
import { TRACKING } from './live-cache.ts';
import { isFrom } from './simulated-version.ts';

const OPTIONS = 'argocd.argoproj.io/sync-options';

/** Called again at each change until nothing is left. */
export function finalize(controller: Control, application: Application): void {
  const { objects } = controller.parts;
  const now = objects.current(application);
  if (!now || !isDeleting(now)) return;
  const { uid, finalizers = [] } = now.metadata;
  if (!finalizers.some(isCascade)) return;
  const option = ownOption(controller, application);
  const there = controller.destination(application).objects;
  const own = there
    .all()
    .filter((object) => isTracked(object, application) && object.metadata.uid !== uid)
    .filter((object) => !isOwned(object) && !isKept(object, option));
  if (own.length === 0) {
    const others = finalizers.filter((name) => !isCascade(name));
    objects.update(now, (object) => withMetadata(object, { finalizers: others }));
    return;
  }
  if (own.some(isDeleting)) return;
  const highest = Math.max(...own.map(waveOf));
  const how = finalizers.includes(BACKGROUND) ? 'background' : 'foreground';
  for (const object of own.filter((one) => waveOf(one) === highest)) there.remove(object, how);
}

const isCascade = (name: string) => name.startsWith(FINALIZER);

function isTracked({ metadata }: KubeObject, application: Application): boolean {
  const id = metadata.annotations?.[TRACKING];
  return id?.startsWith(`${application.metadata.name}:`) === true;
}

/** It is left to its owner. */
function isOwned({ metadata }: KubeObject): boolean {
  return (metadata.ownerReferences ?? []).length > 0;
}

/** From 3.4 on, an Application's own options count for what has none. */
function ownOption(controller: Control, { spec }: Application): string | undefined {
  if (!isFrom(4, controller.parts.settings())) return undefined;
  return deleteOptionIn(spec.syncPolicy?.syncOptions ?? []);
}

/** Custom resource definitions stay, and what says so itself. */
function isKept({ kind, metadata }: KubeObject, ownOption: string | undefined): boolean {
  const options = (metadata.annotations?.[OPTIONS] ?? '').split(',').map((option) => option.trim());
  const helm = metadata.annotations?.['helm.sh/resource-policy'] === 'keep';
  const option = deleteOptionIn(options) ?? ownOption;
  return kind === 'CustomResourceDefinition' || option === 'Delete=false' || helm;
}

const deleteOptionIn = (options: readonly string[]): string | undefined =>
  options.find((option) => option.startsWith('Delete='));
