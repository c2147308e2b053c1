// What Argo CD deployed, in a form in which two clusters can be compared: without what each cluster chooses for itself.

import type { KubernetesObject } from '@kubernetes/client-node';
import type { Stack } from './stack.ts';

type Tree = Readonly<Record<string, unknown>>;

const TRACKING = 'argocd.argoproj.io/tracking-id';
/** Written by the cluster or by kubectl, not by Git. */
const OWN_ANNOTATIONS =
  /^(kubectl\.kubernetes\.io|deployment\.kubernetes\.io|deprecated\.daemonset|pv\.kubernetes\.io)/;
/** Addresses, ports and ids that a cluster gives out. */
const GIVEN = new Set([
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'healthCheckNodePort',
  'batch.kubernetes.io/controller-uid',
  'controller-uid',
]);

/** `KIND NAMESPACE/NAME` -> the object as it would be on any cluster. */
export type Dump = Readonly<Record<string, unknown>>;

/** Everything that the Applications of a project track, and these themselves. */
export async function dump(
  stack: Stack,
  applications: ReadonlySet<string>,
  repository: string,
): Promise<Dump> {
  const listed = ['api-resources', '--verbs=list', '--output=name'];
  const kinds = (await stack.run('kubectl', ...listed)).trim().split('\n');
  const some = kinds.filter((kind) => !/^events\b|^componentstatuses$|metrics/.test(kind));
  const get = ['get', some.join(','), '--all-namespaces', '--output=json'];
  const { items } = JSON.parse(await stack.run('kubectl', ...get)) as { items: KubernetesObject[] };
  const ours = items.filter((one) => isOurs(one, applications));
  return Object.fromEntries(ours.map((one) => [idOf(one), normal(one, repository)]).sort(byId));
}

function isOurs({ kind, metadata }: KubernetesObject, applications: ReadonlySet<string>): boolean {
  if (kind === 'Application') return applications.has(metadata?.name ?? '');
  const [owner = ''] = (metadata?.annotations?.[TRACKING] ?? '').split(':');
  return applications.has(owner);
}

const idOf = ({ kind, metadata }: KubernetesObject) =>
  `${kind} ${metadata?.namespace ?? ''}/${metadata?.name}`;

const byId = ([a]: [string, unknown] | unknown[], [b]: [string, unknown] | unknown[]) =>
  String(a) < String(b) ? -1 : 1;

/** One object: what it was asked to be. The repository has another address each time. */
export function normal(object: KubernetesObject, repository: string): unknown {
  const { metadata, status: _, operation: __, ...rest } = object as KubernetesObject & Tree;
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(
    ([key]) => !OWN_ANNOTATIONS.test(key),
  );
  const kept = { labels: metadata?.labels ?? {}, annotations: Object.fromEntries(annotations) };
  const text = JSON.stringify({ ...rest, ...kept }, (key, value) =>
    GIVEN.has(key) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(repository, 'REPOSITORY'));
}
