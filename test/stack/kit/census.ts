// Everything that a cluster has, by name: what a test leaves behind is the difference of two.

import type { KubernetesObject, V1PersistentVolumeSpec } from '@kubernetes/client-node';
import type { Stack } from './stack.ts';

/** What comes and goes by itself, or with something else. */
const KINDS =
  /^(events|endpoints|endpointslices|leases|componentstatuses|controllerrevisions|apiservices)\b|metrics/;
/** In every namespace. */
const EVERYWHERE = new Set(['ConfigMap kube-root-ca.crt', 'ServiceAccount default']);
/** Those of other tests. */
const OTHERS = /(^|[.-])test-[0-9a-f]{8}\b/;

/** `KIND NAMESPACE/NAME`; a volume by its claim. */
export async function census(stack: Stack): Promise<Set<string>> {
  const listed = ['api-resources', '--verbs=list', '--output=name'];
  const kinds = (await stack.run('kubectl', ...listed)).trim().split('\n');
  const some = kinds.filter((kind) => !KINDS.test(kind));
  const get = ['get', some.join(','), '--all-namespaces', '--output=json'];
  const { items } = JSON.parse(await stack.run('kubectl', ...get)) as { items: KubernetesObject[] };
  const names = items
    .filter(({ metadata }) => !OTHERS.test(metadata?.namespace ?? metadata?.name ?? ''))
    .filter(({ metadata }) => !OTHERS.test(metadata?.name ?? ''))
    .filter(({ kind, metadata }) => !EVERYWHERE.has(`${kind} ${metadata?.name}`))
    .map(nameOf);
  return new Set(names);
}

function nameOf(object: KubernetesObject): string {
  const { kind, metadata, spec } = object as KubernetesObject & {
    spec?: Partial<V1PersistentVolumeSpec>;
  };
  const { name, namespace = '' } =
    (kind === 'PersistentVolume' && spec?.claimRef) || metadata || {};
  return `${kind} ${namespace}/${name}`;
}
