// Objects of Kubernetes in as few words as tests of `import` need.
import type { KubernetesObject } from '../../src/import/material.ts';

type More = Readonly<Record<string, unknown>>;

export function object(
  apiVersion: string,
  kind: string,
  name: string,
  more: More = {},
): KubernetesObject {
  const { metadata, ...rest } = more;
  return { apiVersion, kind, metadata: { name, ...(metadata as More | undefined) }, ...rest };
}

export function definition(group: string, kind: string): KubernetesObject {
  const name = `${kind.toLowerCase()}s.${group}`;
  const spec = { group, names: { kind } };
  return object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', name, { spec });
}

export function deployment(name: string, container: More = {}, pod: More = {}): KubernetesObject {
  const spec = { template: { spec: { containers: [{ name, ...container }], ...pod } } };
  return object('apps/v1', 'Deployment', name, { spec });
}

export function ingress(name: string, spec: More, annotations: More = {}): KubernetesObject {
  return object('networking.k8s.io/v1', 'Ingress', name, { spec, metadata: { annotations } });
}
