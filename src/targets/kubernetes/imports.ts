// What an import reads straight from Kubernetes.
import { z } from 'zod';
import type { Definition, ImportReads } from '../../ports/import-reads.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { orUnknown } from './discovery.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';
import { unknownKind } from './watch.ts';

const { text, texts } = fields;

const definition = z.object({
  metadata: z.object({
    name: z.string(),
    labels: texts,
    ownerReferences: list(z.object({ apiVersion: text, kind: text, name: text })),
  }),
  spec: z.object({ group: z.string(), names: z.object({ kind: z.string() }) }),
});

export function kubernetesImports(
  api: KubernetesApi,
): Pick<ImportReads, 'applications' | 'definitions'> {
  return {
    applications: async (namespaces) => {
      const lists = [...new Set(namespaces)].map(async (namespace) => {
        const { resourceVersion, items } = await listAll(api, paths.applications(namespace));
        if (resourceVersion === undefined) throw unknownKind();
        return items;
      });
      return (await Promise.all(lists)).flat();
    },
    definitions: () => orUnknown(() => definitions(api)),
  };
}

/** One that is malformed is left out. */
async function definitions(api: KubernetesApi): Promise<Definition[]> {
  const { items } = await listAll(api, paths.customResourceDefinitions());
  return items.flatMap((item) => {
    const { data } = optional(definition).safeParse(item);
    return data ? [viewOf(data)] : [];
  });
}

function viewOf({ metadata, spec }: z.output<typeof definition>): Definition {
  return {
    name: metadata.name,
    group: spec.group,
    kind: spec.names.kind,
    labels: metadata.labels,
    owners: metadata.ownerReferences.map(({ apiVersion, kind, name }) => ({
      group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '',
      kind,
      name,
    })),
  };
}
