// Snapshots of volumes, where the cluster has a controller that takes them.
import { z } from 'zod';
import type { Named, Snapshots } from '../../ports/cluster-objects.ts';
import { fields, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';
import { escaped } from './paths.ts';

const ROOT = '/apis/snapshot.storage.k8s.io/v1';

const snapshot = z.object({
  status: optional(
    z.object({ readyToUse: fields.flag, error: optional(z.object({ message: fields.message })) }),
  ),
});

export function kubernetesSnapshots(api: KubernetesApi): Snapshots {
  const all = (namespace: string) => `${ROOT}/namespaces/${escaped(namespace)}/volumesnapshots`;
  return {
    served: async () => (await api.get(ROOT)) !== undefined,
    get: async ({ namespace, name }) => {
      const given = await api.get(`${all(namespace)}/${escaped(name)}`);
      if (given === undefined) return undefined;
      const { status } = parsed(snapshot, given);
      return { ready: status?.readyToUse ?? false, error: status?.error?.message };
    },
    create: ({ namespace, name }, claim) =>
      api.write('POST', all(namespace), snapshotManifest(name, claim)),
  };
}

function snapshotManifest(name: Named['name'], claim: string): unknown {
  return {
    ...{ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot', metadata: { name } },
    spec: { source: { persistentVolumeClaimName: claim } },
  };
}
