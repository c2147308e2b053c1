// What Kubernetes does about objects whose owners are gone: owned objects, the contents of a namespace, volumes.
import type { VirtualTime } from '../virtual-time.ts';
import {
  type Change,
  FOREGROUND,
  isDeleting,
  type KubeObject,
  type Objects,
  withMetadata,
} from './object-store.ts';

const SOON_MS = 50;
/** Until the pods of a workload have ended. */
const ENDS_MS = 2_000;

/** Works on these objects from now on. */
export function collect(time: VirtualTime, objects: Objects): void {
  const soon = (act: () => void) => time.after(SOON_MS, act);
  objects.onChange(({ type, object }) => {
    if (object.kind === 'PersistentVolumeClaim') claimed(objects, type, object);
    if (object.kind === 'Namespace' && isDeleting(object)) soon(() => empty(objects, object));
    // An object that is deleted in the foreground waits for its pods, and these take a while to end.
    if (type === 'MODIFIED' && isDeleting(object) && isInForeground(object))
      time.after(ENDS_MS, () => objects.update(object, withoutForeground));
    if (type !== 'DELETED') return;
    if (OWNERS.has(object.kind)) soon(() => removeOwned(objects, object));
    const { namespace } = object.metadata;
    const home = namespace && objects.get('v1', 'Namespace', undefined, namespace);
    if (home && isDeleting(home)) soon(() => empty(objects, home));
  });
}

const isInForeground = ({ metadata }: KubeObject): boolean =>
  metadata.finalizers?.includes(FOREGROUND) === true;

const withoutForeground = (object: KubeObject): KubeObject =>
  withMetadata(object, {
    finalizers: object.metadata.finalizers?.filter((name) => name !== FOREGROUND) ?? [],
  });

function removeOwned(objects: Objects, { metadata }: KubeObject): void {
  for (const object of objects.all()) {
    if (object.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
      objects.remove(object);
  }
}

/** A namespace goes when nothing is left in it. */
function empty(objects: Objects, namespace: KubeObject): void {
  const left = objects.kinds
    .all()
    .filter(({ namespaced }) => namespaced)
    .flatMap((kind) => objects.list(kind, namespace.metadata.name));
  for (const object of left) objects.remove(object);
  if (left.length === 0) objects.update(namespace, (now) => ({ ...now, spec: { finalizers: [] } }));
}

/** A claim gets its volume; a volume without its claim is kept or goes, as its class says. */
function claimed(objects: Objects, type: Change['type'], claim: KubeObject): void {
  const { uid, name: claimName, namespace } = claim.metadata;
  const name = `pvc-${uid}`;
  const volume = objects.get('v1', 'PersistentVolume', undefined, name);
  if (type === 'DELETED') {
    if (volume?.spec?.persistentVolumeReclaimPolicy === 'Delete') objects.remove(volume);
    else if (volume) objects.update(volume, (now) => ({ ...now, status: { phase: 'Released' } }));
    return;
  }
  if (volume || claim.spec?.volumeName !== undefined) return;
  const className = String(claim.spec?.storageClassName ?? '');
  const found = objects.get('storage.k8s.io/v1', 'StorageClass', undefined, className);
  const persistentVolumeReclaimPolicy = found?.reclaimPolicy ?? 'Delete';
  const claimRef = { name: claimName, namespace, uid };
  objects.create({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: { persistentVolumeReclaimPolicy, claimRef },
    status: { phase: 'Bound' },
  });
  objects.update(claim, (now) => ({ ...now, spec: { ...now.spec, volumeName: name } }));
}

const OWNERS = new Set(['ApplicationSet', 'Deployment', 'StatefulSet', 'Job', 'CronJob']);
