// Puts a world's platform into a rehearsal: Git folders, AppProjects, Applications, and the way to Argo CD.

import type { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import { API, FINALIZER } from '../../src/simulator/argocd/application.ts';
import { TRACKING } from '../../src/simulator/argocd/live-cache.ts';
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
  /** Whose gates have a probe. */
  readonly probing?: ReadonlySet<string>;
  readonly reading: Reading;
  readonly workloads: ReadonlyMap<string, Workload>;
  /** Those that sync by themselves. */
  readonly automated: ReadonlySet<string>;
  /** Never to be seen outside: Argo CD's token, and what stands in a Secret. */
  readonly secrets: readonly string[];
  /** An ApplicationSet makes those that no parent makes. */
  readonly hasGenerator: boolean;
  /** Application -> the cluster that it deploys to, where that is not Argo CD's own. */
  readonly destinations: ReadonlyMap<string, string>;
}

export const REPOSITORY = 'https://git.example/world.git';
/** Seconds that Argo CD has to itself in a world that was deployed before. */
export const HISTORY = 60;
export const VERSION = 'simulation/version';

export function populate(rehearsal: Rehearsal, land: Land): void {
  const { objects } = rehearsal;
  const { reading, workloads, secrets, probing } = land;
  const create = (apiVersion: string, kind: string, name: string, rest: object) => {
    const place = kind === 'Namespace' ? {} : { namespace: NAMESPACE };
    const { metadata, ...others } = rest as { metadata?: object };
    objects.create({ apiVersion, kind, metadata: { name, ...place, ...metadata }, ...others });
  };
  for (const name of [NAMESPACE, 'apps', ...(probing?.size ? ['tiphys-probes'] : [])])
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
  const top = [...reading.gates.keys()].filter((name) => !made.has(name));
  if (land.hasGenerator) create(API, 'ApplicationSet', 'generator', { spec: generator(top, land) });
  else for (const name of top) objects.create(application(name, land));
}

/** As bootstrap leaves the AppProjects, or a run that did not get through: everything is held. */
export function holdAll({ objects }: Rehearsal, { reading }: Land): void {
  for (const project of new Set(reading.projects.values())) {
    const object = objects.get(API, 'AppProject', NAMESPACE, project);
    const names = [...reading.projects].filter(([, where]) => where === project);
    const window = {
      ...{ kind: 'deny', schedule: '0-59 0-23 * * *', duration: '8784h', manualSync: true },
      applications: names.map(([name]) => name).sort(),
    };
    if (!object) throw new Error(`no AppProject ${project}`);
    const windows = (object.spec?.syncWindows as readonly object[] | undefined) ?? [];
    objects.update(object, (now) => ({
      ...now,
      metadata: { ...now.metadata, annotations: { 'tiphys.dev/hold': 'world/before' } },
      spec: { ...now.spec, syncWindows: [...windows, window] },
    }));
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

/** It makes them all alike. */
function generator(names: readonly string[], land: Land) {
  const { metadata, spec } = application('{{name}}', land);
  const elements = names.map((name) => ({
    ...{ name, project: land.reading.projects.get(name), ...destinationOf(name, land) },
  }));
  const automated = names.some((name) => land.automated.has(name));
  const syncPolicy = { ...(automated ? { automated: { selfHeal: true } } : {}), ...SYNC_OPTIONS };
  const { name, finalizers } = metadata;
  return {
    generators: [{ list: { elements } }],
    template: {
      metadata: { name, finalizers },
      spec: {
        ...{ ...spec, project: '{{project}}', syncPolicy },
        destination: { server: '{{server}}', namespace: '{{namespace}}' },
      },
    },
  };
}

const SYNC_OPTIONS = { syncOptions: ['CreateNamespace=true'] };

/** Where workloads are in several clusters, a parent deploys to where its Applications belong. */
function destinationOf(name: string, { destinations, reading }: Land) {
  const server = destinations.get(name) ?? 'https://kubernetes.default.svc';
  const isApart = destinations.size > 0 && reading.parents.has(name);
  return { server, namespace: isApart ? NAMESPACE : 'apps' };
}

/** What parents make goes with them where they prune. */
const prunes = (name: string, { destinations, reading }: Land): boolean =>
  destinations.size > 0 && reading.parents.has(name);

function application(name: string, land: Land): KubeObject {
  const { reading, automated } = land;
  const prune = prunes(name, land) ? { prune: true } : {};
  const sync = automated.has(name) ? { automated: { selfHeal: true, ...prune } } : {};
  return {
    apiVersion: API,
    kind: 'Application',
    metadata: { name, namespace: NAMESPACE, finalizers: [FINALIZER] },
    spec: {
      project: reading.projects.get(name),
      source: { repoURL: REPOSITORY, path: name, targetRevision: 'main' },
      destination: destinationOf(name, land),
      syncPolicy: { ...sync, ...SYNC_OPTIONS },
    },
  };
}

/**
 * In some worlds: an ApplicationSet that a parent with `prune` has made, and that Git has no more. Nothing may take it along, so the parent
 * is not synced until somebody has removed it.
 */
export function forgottenSets(land: Land & { readonly seed: number }): readonly KubeObject[] {
  const { reading, automated, seed } = land;
  const parent = [...reading.parents].find((name) => automated.has(name) && prunes(name, land));
  if (parent === undefined || seed % 8 !== 3) return [];
  const name = 'forgotten';
  const id = `${parent}:${API.split('/')[0]}/ApplicationSet:${NAMESPACE}/${name}`;
  const metadata = { name, namespace: NAMESPACE, annotations: { [TRACKING]: id } };
  return [{ apiVersion: API, kind: 'ApplicationSet', metadata, spec: { generators: [] } }];
}
