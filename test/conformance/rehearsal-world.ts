// The rehearsal as a world of the conformance suite.
import { Rehearsal } from '../../src/rehearsal/rehearsal.ts';
import type { SimulatedVersion } from '../../src/simulator/argocd/simulated-version.ts';
import { BECOMES } from '../../src/simulator/workload/workloads.ts';
import { connectOver } from '../../src/targets/connect.ts';
import type { Transport, TransportRequest } from '../../src/targets/transport.ts';
import type { Becomes, Manifest, World } from './argocd-world.ts';
import { NESTED_CHECK } from './nested-check.ts';

const ARGOCD = 'argocd';
const ID = 'case';
const REPOSITORY = 'https://git.example/case.git';
const TOKENS = { tiphys: 'token-of-tiphys', reader: 'token-of-reader' };
const STORAGE = { deletes: 'fleeting', keeps: 'lasting' };
const PROXY = `/api/v1/namespaces/${ARGOCD}/services/http:argocd-server:80/proxy`;

/** Everything that `tiphys` may, as the stack's own settings have it. */
const RIGHTS = new Set(['applications get', 'applications sync', 'applications delete']);

export interface Simulated {
  readonly world: World;
  /** Lets time pass until it ends. */
  readonly until: <T>(promise: Promise<T>) => Promise<T>;
}

/** `through`: what stands between the case and the cluster. */
export async function rehearsalWorld(
  seed: number,
  argocd: SimulatedVersion = '3.2',
  through: (transport: Transport) => Transport = (transport) => transport,
): Promise<Simulated> {
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const start = Date.UTC(2026, 2, 3, 4, 5, 6);
  const rehearsal = new Rehearsal({
    ...{ seed, faults: [], start, namespace: ARGOCD, argocd },
    pace: { settle },
    // The real one loses some news, too, now and then; no case could wait for chance.
    settings: { losesNews: () => false },
  });
  furnish(rehearsal);
  const { clock, transport: way, random } = rehearsal.join('case');
  const transport = through(way);
  const options = { namespace: ARGOCD, argocdTokenFile: undefined, clock, random };
  const connecting = connectOver({ kubernetes: transport, argocd: undefined }, options);
  const world: World = {
    id: ID,
    clock,
    target: await rehearsal.time.until(connecting),
    kubernetes: transport,
    argocd: (token) => proxied(transport, token),
    tokens: TOKENS,
    argocdNamespace: ARGOCD,
    repository: REPOSITORY,
    commit: async (folder, manifests) => rehearsal.git.commit(REPOSITORY, folder, manifests),
    gitReachable: async (reachable) => {
      rehearsal.git.reachable = reachable;
    },
    deployment: (name, becomes, version = '1') =>
      workload('apps/v1', 'Deployment', name, becomes, {
        replicas: 1,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name, version } } },
      }),
    job: (name, becomes) => workload('batch/v1', 'Job', name, becomes, { backoffLimit: 0 }),
    storage: STORAGE,
    settings: async (keys) => {
      const nested = keys[NESTED_CHECK] ? 'documented' : 'none';
      rehearsal.settings = { ...rehearsal.settings, nested };
    },
  };
  return { world, until: (promise) => rehearsal.time.until(promise, 30 * 60_000) };
}

function furnish({ objects, accounts }: Rehearsal): void {
  for (const name of [ARGOCD, ID, 'default']) {
    objects.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
      status: { phase: 'Active' },
    });
  }
  objects.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: ID, namespace: ARGOCD },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  });
  const labels = { 'app.kubernetes.io/name': 'argocd-server' };
  objects.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'argocd-server', namespace: ARGOCD, labels },
    spec: { ports: [{ name: 'http', port: 80 }] },
  });
  objects.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'tiphys-argocd-token', namespace: ARGOCD },
    data: { token: btoa(TOKENS.tiphys) },
  });
  for (const [name, reclaimPolicy] of [
    [STORAGE.deletes, 'Delete'],
    [STORAGE.keeps, 'Retain'],
  ] as const) {
    objects.create({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      reclaimPolicy,
    });
  }
  const may = (resource: string, verb: string) => RIGHTS.has(`${resource} ${verb}`);
  accounts.set(TOKENS.tiphys, { username: 'tiphys', may });
  accounts.set(TOKENS.reader, { username: 'reader', may: (_, verb) => verb === 'get' });
}

/** As the client goes: through the service proxy, the token in a cookie. */
function proxied(transport: Transport, token: string): Transport {
  const there = (request: TransportRequest) => ({
    ...request,
    path: PROXY + request.path,
    headers: { ...request.headers, cookie: `argocd.token=${token}` },
  });
  return {
    send: (request) => transport.send(there(request)),
    stream: (request) => transport.stream(there(request)),
  };
}

function workload(
  apiVersion: string,
  kind: string,
  name: string,
  becomes: Becomes,
  spec: object,
): Manifest {
  const annotations = { [BECOMES]: String(becomes) };
  return { apiVersion, kind, metadata: { name, annotations }, spec };
}
