// Argo CD's settings, and which custom resources there are.
import { z } from 'zod';
import { type ClusterKinds, type CustomKind, customKindOf } from '../../ports/cluster-kinds.ts';
import { fields } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { orUnknown } from './discovery.ts';
import { parsed } from './errors.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';

const settings = z.object({ data: fields.texts });

export function clusterKinds(api: KubernetesApi, namespace: string): ClusterKinds {
  return {
    settings: async () => {
      const found = (await api.get(paths.configMaps(namespace, 'argocd-cm'))) ?? {};
      return parsed(settings, found, 'not a ConfigMap').data;
    },
    custom: () => customKinds(api),
  };
}

/** Without permission to read them there are none. */
async function customKinds(api: KubernetesApi): Promise<CustomKind[] | undefined> {
  const listed = await orUnknown(() => listAll(api, paths.customResourceDefinitions()));
  return listed === 'unknown' ? undefined : listed.items.flatMap((one) => customKindOf(one) ?? []);
}
