// The Service of argocd-server, and the names of its ports for the service proxy.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import { list, optional } from '../application/schema.ts';
import type { Patience } from '../retry.ts';
import type { KubernetesApi } from './api.ts';
import { invalidAnswer } from './errors.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';

const service = z.object({
  metadata: z.object({ name: z.string() }),
  spec: optional(
    z.object({ ports: list(z.object({ name: optional(z.string()), port: z.number() })) }),
  ),
});

type Service = z.output<typeof service>;

const LABELS = [
  'app.kubernetes.io/name=argocd-server',
  'app.kubernetes.io/component=server,app.kubernetes.io/part-of=argocd',
];

/** Paths below which its API may answer, the most likely first. Only asking tells whether it speaks TLS. */
export async function argocdProxyPaths(
  api: KubernetesApi,
  namespace: string,
  patience: Partial<Patience>,
): Promise<readonly string[]> {
  for (const labelSelector of LABELS) {
    const { items } = await listAll(api, paths.services(namespace), { labelSelector }, patience);
    const found = items.map(parseService).map((one) => proxyNames(one));
    const names = found.find((candidates) => candidates.length > 0);
    if (names) return names.map((name) => paths.serviceProxy(namespace, name));
  }
  throw new TiphysError([
    {
      code: 'argocd-not-found',
      message: `The namespace "${namespace}" has no Service of argocd-server (${LABELS[0]}).`,
      hint: 'Install it with `tiphys bootstrap`, set argocdNamespace in environment.yaml, or give --argocd-server.',
    },
  ]);
}

/**
 * SCHEME:NAME:PORT. Argo CD's own Service has both ports before one and the same port of the pod, which speaks TLS unless
 * the server was told not to: so https comes first where there is a choice. A Service of metrics has neither.
 */
export function proxyNames({ metadata, spec }: Service): readonly string[] {
  const ports = spec?.ports ?? [];
  const secure = ports.find(({ name, port }) => name === 'https' || port === 443);
  const plain = ports.find(({ name, port }) => name === 'http' || port === 80);
  return [
    ...(secure ? [`https:${metadata.name}:${secure.port}`] : []),
    ...(plain ? [`http:${metadata.name}:${plain.port}`] : []),
  ];
}

function parseService(given: unknown): Service {
  const result = service.safeParse(given);
  if (!result.success) throw invalidAnswer('not a Service', { cause: result.error });
  return result.data;
}
