// The schema of a stored inventory: a file or a ConfigMap can be written by anyone.
import { z } from 'zod';
import { REFUSALS, VOLUMES, WARNINGS } from './inventory.ts';

const text = z.string();
const texts = z.array(text);
const resource = { group: text, kind: text, namespace: text, name: text };
const cluster = text.optional();
const why = text.nullable();

const application = z.object({
  ...{ id: text, name: text, namespace: text, project: text, uid: text },
  ...{ destination: text.nullable(), cluster, deleting: z.boolean() },
  deletes: z.array(z.object({ ...resource, why, uid: text.optional() })),
  keeps: z.array(z.object({ ...resource, why: text, uid: text.nullable() })),
  finalizers: z.array(z.object({ resource: z.object(resource), finalizer: text, servedBy: texts })),
  loadBalancers: z.array(z.object(resource)),
});

const left = z.object({ id: text, name: text, namespace: text, uid: text, why: text });
const maker = z.object({
  kind: z.enum(['Application', 'ApplicationSet']),
  ...{ name: text, namespace: text, uid: text, makes: texts },
});
const definition = z.object({
  ...{ ...resource, cluster, uid: text, node: text },
  defines: z.object({ group: text, kind: text }),
});
const finding = z.object({
  code: z.enum([...REFUSALS, ...WARNINGS]),
  ...{ node: text.nullable(), message: text, hint: text },
});

const inventory = z.object({
  ...{ kind: z.literal('Inventory'), platform: text, plan: text, volumes: z.enum(VOLUMES) },
  applications: z.array(application),
  gone: texts,
  left: z.array(left).optional(),
  unexpected: z.array(z.object({ name: text, namespace: text, project: text, madeBy: text })),
  makers: z.array(maker),
  namespaces: z.array(z.object({ name: text, uid: text, why, cluster })),
  snapshots: z.array(z.object({ ...resource, cluster, node: text })),
  definitions: z.array(definition),
  clusters: z.array(z.object({ cluster: text, context: text, uid: text })).optional(),
  refusals: z.array(finding),
  warnings: z.array(finding),
  operations: texts,
  hash: text,
});

export const hasInventoryShape = (given: unknown): boolean => inventory.safeParse(given).success;
