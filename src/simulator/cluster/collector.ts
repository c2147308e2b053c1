// What Kubernetes does about objects whose owners are gone: owned objects, the contents of a namespace, volumes.
import type { VirtualTime } from '../virtual-time.ts';
import { type Change, FOREGROUND, type KubeObject, type Objects } from './object-store.ts';
import { allKinds } from './served-kinds.ts';

const SOON_MS = 50;
/** Until the pods of a workload have ended. */
const ENDS_MS = 2_000;

export class Collector {
  readonly #time: VirtualTime;
  readonly #objects: Objects;

  constructor(time: VirtualTime, objects: Objects) {
    this.#time = time;
    this.#objects = objects;
    objects.onChange((change) => this.#changed(change));
  }

  #changed({ type, object }: Change): void {
    if (object.kind === 'PersistentVolumeClaim') this.#claim(type, object);
    if (object.kind === 'Namespace' && object.metadata.deletionTimestamp !== undefined) {
      this.#time.after(SOON_MS, () => this.#empty(object));
    }
    if (type === 'MODIFIED') this.#endRunning(object);
    if (type !== 'DELETED') return;
    const owned = OWNERS.has(object.kind);
    if (owned) this.#time.after(SOON_MS, () => this.#removeOwned(object));
    const { namespace } = object.metadata;
    const home = namespace && this.#objects.get('v1', 'Namespace', undefined, namespace);
    if (home && home.metadata.deletionTimestamp !== undefined)
      this.#time.after(SOON_MS, () => this.#empty(home));
  }

  /** Whoever is deleted in the foreground waits for its pods, and these take a while to end. */
  #endRunning(object: KubeObject): void {
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp === undefined || !finalizers.includes(FOREGROUND)) return;
    this.#time.after(ENDS_MS, () =>
      this.#objects.update(object, (now) => ({
        ...now,
        metadata: {
          ...now.metadata,
          finalizers: (now.metadata.finalizers ?? []).filter((name) => name !== FOREGROUND),
        },
      })),
    );
  }

  #removeOwned({ metadata }: KubeObject): void {
    for (const object of this.#objects.all()) {
      if (object.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
        this.#objects.remove(object);
    }
  }

  /** A namespace goes when nothing is left in it. */
  #empty(namespace: KubeObject): void {
    const name = namespace.metadata.name;
    const left = allKinds()
      .filter(({ namespaced }) => namespaced)
      .flatMap((kind) => this.#objects.list(kind, name));
    for (const object of left) this.#objects.remove(object);
    const now = this.#objects.current(namespace);
    if (left.length > 0 || !now) return;
    this.#objects.update(now, (object) => ({ ...object, spec: { finalizers: [] } }));
  }

  /** A claim gets its volume; a volume without its claim is kept or goes, as its class says. */
  #claim(type: Change['type'], claim: KubeObject): void {
    const name = `pvc-${claim.metadata.uid}`;
    const volume = this.#objects.get('v1', 'PersistentVolume', undefined, name);
    if (type === 'DELETED' && volume) {
      if (volume.spec?.persistentVolumeReclaimPolicy === 'Delete') this.#objects.remove(volume);
      else this.#objects.update(volume, (now) => ({ ...now, status: { phase: 'Released' } }));
      return;
    }
    if (type === 'DELETED' || volume || claim.spec?.volumeName !== undefined) return;
    const className = String(claim.spec?.storageClassName ?? '');
    const found = this.#objects.get('storage.k8s.io/v1', 'StorageClass', undefined, className);
    const policy = found?.reclaimPolicy ?? 'Delete';
    this.#objects.create({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        persistentVolumeReclaimPolicy: policy,
        claimRef: {
          ...{ name: claim.metadata.name, namespace: claim.metadata.namespace },
          uid: claim.metadata.uid,
        },
      },
      status: { phase: 'Bound' },
    });
    this.#objects.update(claim, (now) => ({ ...now, spec: { ...now.spec, volumeName: name } }));
  }
}

const OWNERS = new Set(['ApplicationSet', 'Deployment', 'StatefulSet', 'Job', 'CronJob']);
