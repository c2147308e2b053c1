// Workflows of Argo Workflows, straight from the cluster: no argo-server is needed.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import type { Workflows, WorkflowView } from '../../ports/argo-workflows.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { fields, list, optional } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsed, parsedIfAny } from './errors.ts';
import { listAll } from './list.ts';
import { paths, withQuery } from './paths.ts';
import { pod, podTrouble } from './pod-trouble.ts';
import { followWhereAllowed, watchOne } from './watch.ts';

const { text, texts } = fields;
const node = z.object({
  displayName: z.string(),
  phase: text,
  message: text,
  outputs: optional(z.object({ parameters: list(z.object({ name: z.string(), value: text })) })),
});
const workflow = z
  .object({
    metadata: z.object({
      name: z.string(),
      namespace: z.string(),
      uid: z.string(),
      creationTimestamp: z.iso.datetime(),
      labels: texts,
      annotations: texts,
    }),
    status: optional(
      z.object({
        phase: text,
        message: text,
        compressedNodes: text,
        offloadNodeStatusVersion: text,
        nodes: optional(z.record(z.string(), node)),
      }),
    ),
  })
  .transform(({ metadata: { creationTimestamp, ...metadata }, status }): WorkflowView => {
    const nodes = Object.values(status?.nodes ?? {});
    const outputs = nodes.flatMap((one) => one.outputs?.parameters ?? []);
    return {
      ...metadata,
      createdAt: creationTimestamp,
      phase: status?.phase ?? '',
      message: status?.message ?? '',
      run: outputs.find(({ name, value }) => name === 'run' && value !== '')?.value,
      isPacked: Boolean(status?.compressedNodes || status?.offloadNodeStatusVersion),
      nodes: nodes.map(({ displayName: name, phase, message }) => ({ name, phase, message })),
    };
  });
const NOT_ONE = 'not a Workflow';

export function kubernetesWorkflows(api: KubernetesApi): Workflows {
  return {
    get: async (namespace, name) =>
      parsedIfAny(workflow, await api.get(paths.workflows(namespace, name)), NOT_ONE),
    list: async (namespace, labels) => {
      const labelSelector = [...labels].map(([key, value]) => `${key}=${value}`).join(',');
      const listed = await listAll(api, paths.workflows(namespace), { labelSelector });
      if (listed.resourceVersion === undefined) return undefined;
      return listed.items.map((item) => parsed(workflow, item, NOT_ONE));
    },
    create: async (namespace, files, object) => {
      const made = await api.write('POST', paths.configMaps(namespace), files);
      const isThere = made.kind === 'refused' && made.reason === 'conflict';
      if (made.kind !== 'done' && !isThere) return made;
      const result = await api.write('POST', paths.workflows(namespace), object);
      if (result.kind !== 'refused')
        await adopt(api, namespace, files as Named, object as Named).catch(ignoreApiError);
      return result;
    },
    stop: (namespace, name) => stop(api, paths.workflows(namespace, name)),
    watch: (namespace, name, changed, signal) =>
      watchOne(api, paths.workflows(namespace), name, changed, signal),
    watchAgent: (namespace, name, changed, signal) => {
      const labelSelector = `${LABELS}/workflow=${name},${LABELS}/component=agent`;
      const path = withQuery(paths.pods(namespace), { labelSelector });
      const observe = (given: unknown) => changed(troubleOf(given));
      const events = {
        observe,
        remove: () => changed(''),
        replace: (items: readonly unknown[]) => items.forEach(observe),
      };
      return followWhereAllowed({ api, path, events, signal });
    },
  };
}

const LABELS = 'workflows.argoproj.io';

/** Hints only: a pod that cannot be read is taken for a good one. */
function troubleOf(given: unknown): string {
  const { data } = pod.safeParse(given);
  return data ? podTrouble(data) : '';
}

interface Named {
  readonly metadata: { readonly name: string; readonly ownerReferences?: readonly object[] };
}

/**
 * The files go with the last Workflow that uses them. They may have gone with another one just now. What cannot be done is
 * left: files that stay do no harm.
 */
async function adopt(
  api: KubernetesApi,
  namespace: string,
  files: Named,
  { metadata: { name } }: Named,
): Promise<void> {
  const path = paths.configMaps(namespace, files.metadata.name);
  const made = (await api.get(paths.workflows(namespace, name))) as
    | { metadata: { uid: string } }
    | undefined;
  if (!made) return;
  const { uid } = made.metadata;
  const owner = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Workflow', name, uid };
  for (let left = ATTEMPTS; left > 0; left--) {
    const now = (await api.get(path)) as Named | undefined;
    const { metadata, ...content } = now ?? files;
    const ownerReferences = [...(metadata.ownerReferences ?? []), owner];
    const owned = { ...content, metadata: { ...metadata, ownerReferences } };
    const result = now
      ? await api.write('PUT', path, owned)
      : await api.write('POST', paths.configMaps(namespace), owned);
    if (result.kind !== 'refused' || !['conflict', 'not-found'].includes(result.reason)) return;
  }
}

function ignoreApiError(error: unknown): void {
  if (!(error instanceof TiphysError)) throw error;
}

const ATTEMPTS = 5;

/** The controller writes it all the time, so this may take more than one try. */
async function stop(api: KubernetesApi, path: string): Promise<WriteResult> {
  for (let left = ATTEMPTS; ; left--) {
    const now = (await api.get(path)) as { spec?: object } | undefined;
    if (!now) return { kind: 'refused', reason: 'not-found', message: 'it no longer exists' };
    const stopped = { ...now, spec: { ...now.spec, shutdown: 'Stop' } };
    const result = await api.write('PUT', path, stopped);
    const again = result.kind === 'refused' && result.reason === 'conflict';
    if (!again || left === 0) return result;
  }
}
