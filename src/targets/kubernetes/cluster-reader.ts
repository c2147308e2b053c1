// A cluster as phase 0 looks at it: reads, and questions that change nothing.
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import type {
  ClusterReader,
  NodeView,
  ObjectView,
  PodView,
  StorageClassView,
} from '../../preflight/preflight-context.ts';
import { fields, list, optional } from '../application/schema.ts';
import { answeringPrefix, argocdVersion } from '../argocd/find.ts';
import { proxiedRoute } from '../argocd/route.ts';
import type { Patience, World } from '../retry.ts';
import type { Transport } from '../transport.ts';
import { mayInCluster } from './access.ts';
import { type KubernetesApi, kubernetesApi } from './api.ts';
import { argocdProxyPaths } from './argocd-service.ts';
import { parsed } from './errors.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';
import { bytesOf, coresOf } from './quantity.ts';

const { text, texts, flag } = fields;
const condition = z.object({ type: text, status: text, message: text });

const node = z.object({
  metadata: z.object({ name: z.string(), labels: texts }),
  spec: optional(
    z.object({ unschedulable: flag, taints: list(z.object({ key: text, effect: text })) }),
  ),
  status: optional(
    z.object({
      conditions: list(condition),
      allocatable: texts,
      nodeInfo: optional(z.object({ kubeletVersion: text, containerRuntimeVersion: text })),
    }),
  ),
});
const pod = z
  .object({
    metadata: z.object({ name: z.string() }),
    status: optional(z.object({ conditions: list(condition) })),
  })
  .transform(({ metadata: { name }, status }): PodView => {
    const ready = status?.conditions.some((one) => one.type === 'Ready' && one.status === 'True');
    return { name, ready: ready ?? false };
  });
const object = z
  .object({
    metadata: z.object({
      name: z.string(),
      namespace: text,
      labels: texts,
      annotations: texts,
      deletionTimestamp: optional(z.string()),
    }),
  })
  .transform(
    ({ metadata: { deletionTimestamp, ...metadata } }): ObjectView => ({
      ...metadata,
      deleting: deletionTimestamp !== undefined,
    }),
  );
const version = z.object({ gitVersion: z.string() });
const resources = z.object({ resources: list(z.object({ kind: text })) });

const DNS = 'k8s-app in (kube-dns, coredns)';
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class';

export function clusterReader(
  transport: Transport,
  world: World,
  signal: AbortSignal,
): ClusterReader {
  // An address that does not answer is more likely wrong than down.
  const patience: Patience = { budget: 10_000, deadline: 5_000, signal };
  const api = kubernetesApi(transport, world);
  const metadata = kubernetesApi(metadataOnly(transport), world);
  const all = async <S extends z.ZodType>(
    from: KubernetesApi,
    schema: S,
    path: string,
    labelSelector?: string,
  ) => {
    const { items } = await listAll(from, path, { labelSelector }, patience);
    return items.map((item) => parsed(schema, item));
  };
  const objects = (path: string, label?: string) => all(metadata, object, path, label);
  return {
    version: once(async () => parsed(version, await api.get('/version', patience)).gitVersion),
    argocdVersion: async (namespace, rootPath = '') => {
      const ways = { api, transport, rootPath };
      return await argocdVersionIn(ways, namespace, patience);
    },
    may: (right) => mayInCluster(api, right, patience),
    serves: async (groupVersion, kind) => {
      const given = await api.get(`/apis/${groupVersion}`, patience);
      const served = given === undefined ? [] : parsed(resources, given).resources;
      return served.some((one) => one.kind === kind);
    },
    nodes: once(() => all(api, node.transform(nodeView), '/api/v1/nodes')),
    dnsPods: () => all(api, pod, paths.pods('kube-system'), DNS),
    storageClasses: once(async () =>
      (await objects('/apis/storage.k8s.io/v1/storageclasses')).map(classView),
    ),
    namespaces: once(() => objects('/api/v1/namespaces')),
    definitions: once(() => objects(paths.customResourceDefinitions())),
    deployments: (label) => objects('/apis/apps/v1/deployments', label),
    secrets: (label) => objects('/api/v1/secrets', label),
  };
}

/** Asked through the service proxy, without a token: it is public. */
async function argocdVersionIn(
  { api, transport, rootPath }: { api: KubernetesApi; transport: Transport; rootPath: string },
  namespace: string,
  patience: Patience,
): Promise<string | undefined> {
  try {
    const prefixes = await argocdProxyPaths(api, namespace, patience);
    const below = prefixes.map((prefix) => prefix + rootPath);
    const prefix = await answeringPrefix(transport, below, api.world, patience.budget);
    return await argocdVersion(proxiedRoute(transport, prefix), api.world);
  } catch (error) {
    if (['argocd-not-found', 'argocd-core-mode'].includes(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** Several rows look at the same thing, and see the same then. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

const METADATA = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Definitions are large, and Secrets are not read. */
function metadataOnly(transport: Transport): Transport {
  return {
    ...transport,
    send: (request) =>
      transport.send({ ...request, headers: { ...request.headers, accept: METADATA } }),
  };
}

const NO_ROOM = new Set(['NoSchedule', 'NoExecute']);
/** That it is cordoned or not ready is told apart. */
const OWN_TAINTS = /^node\.kubernetes\.io\/(?:unschedulable|not-ready|unreachable)$/;
const CONTROL_PLANE = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

function nodeView({ metadata, spec, status }: z.output<typeof node>): NodeView {
  const ready = status?.conditions.find(({ type }) => type === 'Ready');
  const allocatable = (resource: string) => status?.allocatable.get(resource);
  return {
    name: metadata.name,
    ready: ready?.status === 'True',
    message: ready?.status === 'True' ? '' : (ready?.message ?? ''),
    cordoned: spec?.unschedulable ?? false,
    taints: (spec?.taints ?? [])
      .filter(({ key, effect }) => NO_ROOM.has(effect) && !OWN_TAINTS.test(key))
      .map(({ key, effect }) => `${key}:${effect}`),
    controlPlane: CONTROL_PLANE.some((label) => metadata.labels.has(label)),
    version: status?.nodeInfo?.kubeletVersion ?? '',
    runtime: status?.nodeInfo?.containerRuntimeVersion ?? '',
    allocatable: {
      cpu: coresOf(allocatable('cpu')),
      memory: bytesOf(allocatable('memory')),
      pods: Number(allocatable('pods') ?? 0),
    },
  };
}

const classView = ({ name, annotations }: ObjectView): StorageClassView => ({
  name,
  isDefault: annotations.get(DEFAULT_CLASS) === 'true',
});
