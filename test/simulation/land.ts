// Puts a world's platform into a rehearsal: Git folders, AppProjects, Applications, and the way to Argo CD.

import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { API, FINALIZER } from '../../src/simulator/argocd/application.ts';
import type { KubeObject } from '../../src/simulator/cluster/object-store.ts';
import { BECOMES } from '../../src/simulator/workload/workloads.ts';
import type { Reading } from './graph.ts';
import { NAMESPACE } from './shape.ts';

/** What an application is made of, beside its Deployment. */
export type Make = 'plain' | 'hook' | 'waves';

export interface Workload {
  readonly make: Make;
  /** Until it is ready. */
  readonly seconds: number;
}

export interface Land {
  readonly reading: Reading;
  readonly workloads: ReadonlyMap<string, Workload>;
  /** Those that sync by themselves. */
  readonly automated: ReadonlySet<string>;
  /** Never to be seen outside: Argo CD's token, and what stands in a Secret. */
  readonly secrets: readonly string[];
}

export const REPOSITORY = 'https://git.example/world.git';
/** Seconds that Argo CD has to itself in a world that was deployed before. */
export const HISTORY = 60;
export const VERSION = 'simulation/version';

export function populate(rehearsal: Rehearsal, land: Land): void {
  const { objects } = rehearsal;
  const { reading, workloads, secrets } = land;
  const create = (apiVersion: string, kind: string, name: string, rest: object) => {
    const place = kind === 'Namespace' ? {} : { namespace: NAMESPACE };
    const { metadata, ...others } = rest as { metadata?: object };
    objects.create({ apiVersion, kind, metadata: { name, ...place, ...metadata }, ...others });
  };
  for (const name of [NAMESPACE, 'apps'])
    create('v1', 'Namespace', name, { status: { phase: 'Active' } });
  const labels = { 'app.kubernetes.io/name': 'argocd-server' };
  const ports = [{ name: 'http', port: 80 }];
  create('v1', 'Service', 'argocd-server', { metadata: { labels }, spec: { ports } });
  const [token = ''] = secrets;
  create('v1', 'Secret', 'tiphys-argocd-token', { data: { token: btoa(token) } });
  rehearsal.accounts.set(token, { username: 'tiphys', may: () => true });
  for (const project of new Set(reading.projects.values())) {
    // Somebody else's, which must stay as it is.
    const windows = [
      { kind: 'allow', schedule: '0 0 * * *', duration: '24h', applications: ['other-*'] },
    ];
    create(API, 'AppProject', project, {
      spec: { sourceRepos: ['*'], destinations: [{ server: '*' }], syncWindows: windows },
    });
  }
  for (const [name, workload] of workloads) commit(rehearsal, name, workload, 1);
  const made = new Set([...reading.children.values()].flat());
  for (const [parent, children] of reading.children) {
    rehearsal.git.commit(
      REPOSITORY,
      parent,
      children.map((name) => application(name, land)),
    );
  }
  for (const name of reading.gates.keys()) {
    if (!made.has(name)) objects.create(application(name, land));
  }
}

/** A new version of an application in Git. */
export function commit(
  { git }: Rehearsal,
  name: string,
  { make, seconds }: Workload,
  version: number,
): void {
  const deployment = (suffix: string, wave: number, becomes: number): KubeObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: `${name}${suffix}`,
      annotations: {
        [BECOMES]: String(becomes),
        [VERSION]: String(version),
        'argocd.argoproj.io/sync-wave': String(wave),
      },
    },
    spec: { replicas: 1, template: { metadata: { labels: { app: name, at: `v${version}` } } } },
  });
  const job: KubeObject = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-before`,
      annotations: { 'argocd.argoproj.io/hook': 'PreSync', [BECOMES]: String(seconds / 2) },
    },
    spec: {},
  };
  const manifests: Readonly<Record<Make, readonly KubeObject[]>> = {
    plain: [deployment('', 0, seconds)],
    hook: [job, deployment('', 0, seconds / 2)],
    waves: [deployment('-first', 0, seconds / 2), deployment('', 1, seconds / 2)],
  };
  git.commit(REPOSITORY, name, manifests[make]);
}

function application(name: string, { reading, automated }: Land): KubeObject {
  const sync = automated.has(name) ? { automated: { selfHeal: true } } : {};
  return {
    apiVersion: API,
    kind: 'Application',
    metadata: { name, namespace: NAMESPACE, finalizers: [FINALIZER] },
    spec: {
      project: reading.projects.get(name),
      source: { repoURL: REPOSITORY, path: name, targetRevision: 'main' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'apps' },
      syncPolicy: { ...sync, syncOptions: ['CreateNamespace=true'] },
    },
  };
}
