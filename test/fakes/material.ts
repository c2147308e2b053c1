// Applications as import reads them.
import type { ApplicationMaterial, Material } from '../../src/import/material.ts';

export function applicationMaterial(
  name: string,
  more: Partial<ApplicationMaterial> = {},
): ApplicationMaterial {
  return {
    name,
    project: 'platform',
    destination: { cluster: 'in-cluster', namespace: name },
    isRemote: false,
    createsNamespace: true,
    automated: true,
    labels: {},
    sources: [],
    charts: [],
    values: [],
    resources: [],
    objects: [],
    pastDurations: [],
    content: 'manifests',
    ...more,
  };
}

export function materialOf(...applications: readonly ApplicationMaterial[]): Material {
  return {
    applications,
    definedKinds: [],
    customHealth: [],
    argocdNamespace: 'argocd',
    problems: [],
  };
}
