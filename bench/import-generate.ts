// A platform of any size, the same for the same seed: every tenth application is an operator that the others live off.
import type { ApplicationMaterial, KubernetesObject, Material } from '../src/import/material.ts';

/** Numerical Recipes' generator: enough to scatter references. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const OBJECTS = 10;

export function generateMaterial(count: number, seed: number): Material {
  const next = numbers(seed);
  const operators = Math.max(1, Math.floor(count / 10));
  const applications = Array.from({ length: count }, (_, at): ApplicationMaterial => {
    const name = at < operators ? `operator-${at}` : `app-${at}`;
    const objects = at < operators ? operatorObjects(at) : memberObjects(at, operators, next);
    return {
      name,
      ...(at === 0 ? {} : { parent: 'operator-0' }),
      project: 'default',
      destination: { cluster: 'in-cluster', namespace: name },
      isRemote: false,
      createsNamespace: true,
      automated: true,
      wave: at < operators ? 0 : 1,
      labels: {},
      sources: [{ repoURL: 'https://git.example.com/platform', path: `apps/${name}` }],
      charts: [],
      values: [],
      resources: [],
      objects,
      pastDurations: [],
      content: 'manifests',
    };
  });
  return {
    applications,
    definedKinds: [],
    customHealth: [],
    argocdNamespace: 'argocd',
    problems: [],
  };
}

function operatorObjects(at: number): KubernetesObject[] {
  const group = `g${at}.example.com`;
  const rules = [{ apiGroups: [group], resources: ['things/status'], verbs: ['update'] }];
  return [
    thing('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `things.${group}`, {
      spec: { group, names: { kind: 'Thing' } },
    }),
    thing('rbac.authorization.k8s.io/v1', 'ClusterRole', `operator-${at}`, { rules }),
    thing('networking.k8s.io/v1', 'IngressClass', `class-${at}`, {}),
    thing('v1', 'Service', 'api', {}),
    ...fill(OBJECTS - 4, `operator-${at}`, []),
  ];
}

function memberObjects(at: number, operators: number, next: (below: number) => number) {
  const group = `g${next(operators)}.example.com`;
  const [host, ingress] = [next(operators), next(operators)];
  return [
    thing(`${group}/v1`, 'Thing', `thing-${at}`, { spec: { size: at } }),
    thing('networking.k8s.io/v1', 'Ingress', `web-${at}`, {
      spec: { ingressClassName: `class-${ingress}` },
    }),
    ...fill(OBJECTS - 2, `app-${at}`, [
      { name: 'API', value: `http://api.operator-${host}.svc:80/` },
    ]),
  ];
}

function fill(count: number, name: string, env: readonly unknown[]): KubernetesObject[] {
  return Array.from({ length: count }, (_, at) =>
    thing('apps/v1', 'Deployment', `${name}-${at}`, {
      spec: {
        replicas: 2,
        template: {
          spec: {
            containers: [
              {
                name,
                image: `registry.example.com/${name}:1`,
                env,
                ports: [{ containerPort: 80 }],
              },
            ],
            volumes: [
              { name: 'settings', configMap: { name: `${name}-settings`, optional: true } },
            ],
          },
        },
      },
    }),
  );
}

function thing(apiVersion: string, kind: string, name: string, more: object): KubernetesObject {
  return { apiVersion, kind, metadata: { name }, ...more };
}

/** The same material in another order: applications, and the objects of each. */
export function shuffled(material: Material, seed: number): Material {
  const next = numbers(seed);
  const mix = <T>(items: readonly T[]): T[] => {
    const mixed = [...items];
    for (let at = mixed.length - 1; at > 0; at--) {
      const other = next(at + 1);
      [mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T];
    }
    return mixed;
  };
  const applications = mix(material.applications).map((application) => ({
    ...application,
    objects: mix(application.objects),
    resources: mix(application.resources),
    charts: mix(application.charts),
  }));
  return { ...material, applications, definedKinds: mix(material.definedKinds) };
}
