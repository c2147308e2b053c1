// Applications and ApplicationSets, read straight from Kubernetes.
import { z } from 'zod';
import type { ApplicationView } from '../../run/application-view.ts';
import { fields, optional } from '../application/schema.ts';
import { applicationView } from '../application/view.ts';
import type { KubernetesApi } from './api.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';
import { unknownKind } from './watch.ts';

/** One that is malformed is left out: it may be anybody's. Reading it by its name says what is wrong. */
export async function listApplications(
  api: KubernetesApi,
  namespaces: readonly string[],
): Promise<readonly ApplicationView[]> {
  const lists = [...new Set(namespaces)].map(async (namespace) => {
    const { resourceVersion, items } = await listAll(api, paths.applications(namespace));
    if (resourceVersion === undefined) throw unknownKind();
    return items.flatMap(viewOrNothing);
  });
  return (await Promise.all(lists)).flat();
}

function viewOrNothing(item: unknown): readonly ApplicationView[] {
  try {
    return [applicationView(item)];
  } catch {
    return [];
  }
}

export const applicationSet = z.object({
  metadata: z.object({ name: z.string() }),
  spec: optional(z.object({ strategy: optional(z.object({ type: fields.text })) })),
});

/** Names of the ApplicationSets that sync their Applications step by step, and so would get in the way. */
export async function listRollingSyncs(
  api: KubernetesApi,
  namespaces: readonly string[],
): Promise<readonly string[]> {
  const lists = [...new Set(namespaces)].map(async (namespace) => {
    const { items } = await listAll(api, paths.applicationSets(namespace));
    return items.flatMap((item) => {
      const { data } = applicationSet.safeParse(item);
      return data?.spec?.strategy?.type === 'RollingSync' ? [data.metadata.name] : [];
    });
  });
  return (await Promise.all(lists)).flat().sort();
}
