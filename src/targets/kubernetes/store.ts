// ConfigMaps that hold bytes.
import { z } from 'zod';
import type { Store, StoredText } from '../../ports/record-store.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { fields } from '../application/schema.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';
import { listAll } from './list.ts';
import { paths, withQuery } from './paths.ts';

const { texts } = fields;
const configMap = z.object({
  metadata: z.object({ name: z.string(), labels: texts, annotations: texts }),
  data: texts,
  binaryData: texts,
});

export function kubernetesStore(api: KubernetesApi, namespace: string): Store {
  const all = paths.configMaps(namespace);
  return {
    list: async (labels) => {
      const labelSelector = [...labels].map(([key, value]) => `${key}=${value}`).join(',');
      const { items } = await listAll(api, all, { labelSelector });
      return items.map(storedText);
    },
    put: async (text, mayWrite) => {
      const write = async (method: 'PUT' | 'POST', path: string) =>
        mayWrite() ? await api.write(method, path, manifest(text)) : NOT_OWNED;
      const own = paths.configMaps(namespace, text.name);
      const replaced = await write('PUT', own);
      if (!isRefused(replaced, 'not-found')) return replaced;
      const created = await write('POST', all);
      // Another one was quicker.
      return isRefused(created, 'conflict') ? await write('PUT', own) : created;
    },
    remove: (name) => api.write('DELETE', paths.configMaps(namespace, name)),
  };
}

/** Where the record of one run is. */
export function runPath(namespace: string, run: string): string {
  return withQuery(paths.configMaps(namespace), { labelSelector: `tiphys.dev/run=${run}` });
}

const NOT_OWNED: WriteResult = {
  kind: 'refused',
  reason: 'forbidden',
  message: 'the run does not own the platform',
};

function isRefused(result: WriteResult, reason: 'not-found' | 'conflict'): boolean {
  return result.kind === 'refused' && result.reason === reason;
}

function storedText(given: unknown): StoredText {
  const { metadata, data, binaryData } = parsed(configMap, given, 'not a ConfigMap');
  const bytes = (from: ReadonlyMap<string, string>, encoding: BufferEncoding) =>
    [...from].map(([key, text]) => [key, Buffer.from(text, encoding)] as const);
  return {
    ...metadata,
    data: new Map([...bytes(data, 'utf8'), ...bytes(binaryData, 'base64')]),
  };
}

function manifest({ name, labels, annotations, data, isSealed }: StoredText): unknown {
  const encoded = [...data].map(([key, bytes]) => [key, Buffer.from(bytes).toString('base64')]);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      labels: Object.fromEntries(labels),
      annotations: Object.fromEntries(annotations),
    },
    binaryData: Object.fromEntries(encoded),
    ...(isSealed && { immutable: true }),
  };
}
