// The Service of argocd-server, and the names of its ports for the service proxy.
import { z } from 'zod';
import { TiphysError } from '../../errors.ts';
import { list, optional } from '../application/schema.ts';
import type { Patience } from '../retry.ts';
import type { KubernetesApi } from './api.ts';
import { parsed } from './errors.ts';
import { listAll } from './list.ts';
import { paths } from './paths.ts';

const service = z.object({
  metadata: z.object({ name: z.string() }),
  spec: optional(
    z.object({ ports: list(z.object({ name: optional(z.string()), port: z.number() })) }),
  ),
});

const LABELS = [
  'app.kubernetes.io/name=argocd-server',
  'app.kubernetes.io/component=server,app.kubernetes.io/part-of=argocd',
];

/** As Argo CD's own manifests and most installations call it. */
const WELL_KNOWN = 'argocd-server';

/**
 * Paths below which its API may answer, the most likely first. Only asking tells whether it speaks TLS. The token goes
 * there, and any user who may make a Service there can label it: where several have the label, only the well-known name tells.
 */
export async function argocdProxyPaths(
  api: KubernetesApi,
  namespace: string,
  patience: Partial<Patience>,
): Promise<readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const labelSelector of LABELS) {
    const { items } = await listAll(api, paths.services(namespace), { labelSelector }, patience);
    for (const item of items) {
      const one = parsed(service, item, 'not a Service');
      const names = proxyNames(one);
      if (names.length > 0) found.set(one.metadata.name, names);
    }
    if (found.has(WELL_KNOWN)) break;
  }
  const [first, ...others] = found.keys();
  if (first === undefined)
    throw (await isCore(api, namespace, patience)) ? coreMode(namespace) : missing(namespace);
  const chosen = found.has(WELL_KNOWN) ? WELL_KNOWN : first;
  if (chosen !== WELL_KNOWN && others.length > 0) throw ambiguous(namespace, [first, ...others]);
  return (found.get(chosen) ?? []).map((name) => paths.serviceProxy(namespace, name));
}

const CONTROLLER =
  'app.kubernetes.io/component=application-controller,app.kubernetes.io/part-of=argocd';

/** Whether Argo CD is there without its server. Who may not look does not know. */
async function isCore(
  api: KubernetesApi,
  namespace: string,
  patience: Partial<Patience>,
): Promise<boolean> {
  for (const path of [paths.statefulSets(namespace), paths.deployments(namespace)]) {
    const found = await listAll(api, path, { labelSelector: CONTROLLER }, patience).catch(
      () => undefined,
    );
    if (found && found.items.length > 0) return true;
  }
  return false;
}

function coreMode(namespace: string): TiphysError {
  const message = `Argo CD in the namespace "${namespace}" runs in core mode, without argocd-server, which is not supported.`;
  const hint =
    'Install argocd-server: Tiphys uses its API, with its own token, for syncs, terminations and deletions.';
  return new TiphysError([{ code: 'argocd-core-mode', message, hint }]);
}

function missing(namespace: string): TiphysError {
  const message = `The namespace "${namespace}" has no Service of argocd-server (${LABELS[0]}).`;
  const hint =
    'Install it with `tiphys bootstrap`, set argocdNamespace in environment.yaml, or pass --argocd-server.';
  return new TiphysError([{ code: 'argocd-not-found', message, hint }]);
}

function ambiguous(namespace: string, names: readonly string[]): TiphysError {
  const message = `The namespace "${namespace}" has several Services that look like argocd-server: ${names.join(', ')}.`;
  const hint =
    'Pass the address of the right one with --argocd-server, or remove the label from the others.';
  return new TiphysError([{ code: 'argocd-ambiguous', message, hint }]);
}

/**
 * SCHEME:NAME:PORT. Argo CD's own Service has both ports before one and the same port of the pod, which speaks TLS unless
 * the server was told not to: so https comes first where there is a choice. A Service of metrics has neither.
 */
export function proxyNames({ metadata, spec }: z.output<typeof service>): readonly string[] {
  const ports = spec?.ports ?? [];
  const secure = ports.find(({ name, port }) => name === 'https' || port === 443);
  const plain = ports.find(({ name, port }) => name === 'http' || port === 80);
  return [
    ...(secure ? [`https:${metadata.name}:${secure.port}`] : []),
    ...(plain ? [`http:${metadata.name}:${plain.port}`] : []),
  ];
}
