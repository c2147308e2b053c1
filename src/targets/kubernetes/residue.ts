// What tends to remain after a teardown: namespaces that do not end, volumes without claims, webhooks that
// nothing answers for.
import { z } from 'zod';
import type { Residue } from '../../ports/cluster-objects.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { orUnknown } from './discovery.ts';
import { parsed } from './errors.ts';
import { listAll } from './list.ts';
import { onlyNamed } from './paths.ts';

const { text } = fields;
const named = z.object({ name: z.string(), namespace: text });

const namespace = z.object({
  metadata: z.object({ deletionTimestamp: optional(z.string()) }),
  status: optional(z.object({ conditions: list(z.object({ status: text, message: text })) })).catch(
    undefined,
  ),
});
const volume = z.object({
  metadata: named,
  spec: z.object({ claimRef: optional(named.extend({ uid: text })) }),
  status: optional(z.object({ phase: text })),
});
const webhooks = z.object({
  metadata: named,
  webhooks: list(z.object({ clientConfig: z.object({ service: optional(named) }) })),
});

const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1';

export function kubernetesResidue(api: KubernetesApi): Residue {
  const all = async <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>[]> =>
    (await listAll(api, path)).items.map((item) => parsed(schema, item));
  const hooks = async (kind: string) => {
    const found = await all(`${WEBHOOKS}/${kind.toLowerCase()}s`, webhooks);
    return found.map(({ metadata, webhooks: each }) => ({
      ...{ group: 'admissionregistration.k8s.io', kind, namespace: '', name: metadata.name },
      services: each.flatMap(({ clientConfig }) => clientConfig.service ?? []),
    }));
  };
  return {
    terminating: (name) =>
      orUnknown(async () => {
        const { items } = await listAll(api, '/api/v1/namespaces', onlyNamed(name));
        const [given] = items;
        if (given === undefined) return undefined;
        const { metadata, status } = parsed(namespace, given);
        if (metadata.deletionTimestamp === undefined) return undefined;
        const reasons = status?.conditions.filter((one) => one.status === 'True') ?? [];
        return reasons.map(({ message }) => message).join('; ');
      }),
    volumes: () =>
      orUnknown(async () =>
        (await all('/api/v1/persistentvolumes', volume)).map(({ metadata, spec, status }) => ({
          ...{ name: metadata.name, claim: spec.claimRef, phase: status?.phase ?? '' },
        })),
      ),
    webhooks: () =>
      orUnknown(async () =>
        (
          await Promise.all([
            hooks('ValidatingWebhookConfiguration'),
            hooks('MutatingWebhookConfiguration'),
          ])
        ).flat(),
      ),
  };
}
