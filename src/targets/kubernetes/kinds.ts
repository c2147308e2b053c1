// Argo CD's settings, and which custom resources there are.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import { type ClusterKinds, type CustomKind, customKindOf } from '../../ports/cluster-kinds.ts';
import { optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { invalidAnswer } from './errors.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';

const settings = z.object({ data: optional(z.record(z.string(), z.string())) });

export function clusterKinds(api: KubernetesApi, namespace: string): ClusterKinds {
  return {
    settings: async () => {
      const found = (await api.get(paths.configMaps(namespace, 'argocd-cm'))) ?? {};
      const result = settings.safeParse(found);
      if (!result.success) throw invalidAnswer('not a ConfigMap', { cause: result.error });
      return new Map(Object.entries(result.data.data ?? {}));
    },
    custom: () => customKinds(api),
  };
}

/** Whoever may not read them goes without. */
async function customKinds(api: KubernetesApi): Promise<CustomKind[] | undefined> {
  try {
    const { items } = await listAll(api, paths.customResourceDefinitions());
    return items.flatMap((item) => customKindOf(item) ?? []);
  } catch (error) {
    if (error instanceof TiphysError && error.diagnostics[0]?.code === 'cluster-forbidden') {
      return undefined;
    }
    throw error;
  }
}
