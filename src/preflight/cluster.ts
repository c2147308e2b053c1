// RFC 3.2.4: the cluster answers, knows us, and has nodes, DNS and room. Each row is judged by itself, so that one cause
// turns one row: a node that is cordoned is still ready, and still counts as capacity.
import { type ErrorCode, TiphysError } from '../errors.ts';
import { failure, type Prerequisite, pass, type Verdict, warning } from './row.ts';
import type {
  ClusterSight,
  NodeView,
  PodView,
  StorageClassView,
  Surroundings,
} from './surroundings.ts';

/** A row that needs a cluster that answers and accepts us. Where it does not, one row says why, and this one refers to it. */
export function onCluster(
  judge: (cluster: ClusterSight) => Promise<Verdict>,
): (world: Surroundings) => Promise<Verdict> {
  return async (world) => {
    const cluster = await orNotJudged(async () => {
      const found = await world.cluster();
      await found.version();
      return found;
    });
    return judge(cluster);
  };
}

export async function orNotJudged<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const [first] = error instanceof TiphysError ? error.diagnostics : [];
    if (!first) throw error;
    const hint = 'See the rows credential:kubeconfig, cluster:api and cluster:authentication.';
    const message = 'not judged: the cluster cannot be looked at';
    throw new TiphysError([{ code: first.code, message, hint }], { cause: error });
  }
}

const SECTION = '3.2.4';

export const clusterPrerequisites = (): readonly Prerequisite[] => [
  {
    id: 'cluster:api',
    section: SECTION,
    what: 'the API server answers',
    judge: async (world) => {
      const cluster = await orNotJudged(world.cluster);
      const server = await world.server();
      return answered(`${server} answers`, () => cluster.version());
    },
  },
  {
    id: 'cluster:authentication',
    section: SECTION,
    what: 'the API server accepts the credentials',
    judge: async (world) => {
      const cluster = await orNotJudged(world.cluster);
      return accepted(cluster);
    },
  },
  {
    id: 'nodes:ready',
    section: SECTION,
    what: 'nodes are Ready: their container runtime works',
    judge: onCluster(async ({ nodes }) => judgeReady(await nodes())),
  },
  {
    id: 'nodes:schedulable',
    section: SECTION,
    what: 'a node takes pods: not cordoned, no taint',
    judge: onCluster(async ({ nodes }) => judgeSchedulable(await nodes())),
  },
  {
    id: 'nodes:workers',
    section: SECTION,
    what: 'at least 3 worker nodes',
    advised: true,
    judge: onCluster(async ({ nodes }) => judgeWorkers(await nodes())),
  },
  {
    id: 'nodes:capacity',
    section: SECTION,
    what: `at least ${LEAST.cpu} cores, ${LEAST.memory / GIB} GiB, ${LEAST.pods} pods in all`,
    advised: true,
    judge: onCluster(async ({ nodes }) => judgeCapacity(await nodes())),
  },
  {
    id: 'dns',
    section: SECTION,
    what: 'CoreDNS runs in kube-system',
    judge: onCluster(async ({ dnsPods }) => judgeDns(await dnsPods())),
  },
  {
    id: 'storage',
    section: SECTION,
    what: 'there is a default StorageClass',
    advised: true,
    judge: onCluster(async ({ storageClasses }) => judgeStorage(await storageClasses())),
  },
];

/** Rights are asked of somebody: only who is known gets an answer. */
async function accepted({ may }: ClusterSight): Promise<Verdict> {
  try {
    await may({ verb: 'create', group: '', resource: 'namespaces' });
    return pass('accepted');
  } catch (error) {
    if (codeOf(error) === 'cluster-unauthorized') throw error;
    return await orNotJudged(() => Promise.reject(error));
  }
}

const codeOf = (error: unknown): ErrorCode | undefined =>
  error instanceof TiphysError ? error.diagnostics[0]?.code : undefined;

/** Whoever refuses has answered: that is for the other rows to tell. */
async function answered(seen: string, ask: () => Promise<string>): Promise<Verdict> {
  try {
    return pass(`${seen}: Kubernetes ${await ask()}`);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'cluster-unauthorized' || code === 'cluster-forbidden') return pass(seen);
    throw error;
  }
}

const names = (nodes: readonly { readonly name: string }[]): string =>
  nodes.map(({ name }) => name).join(', ');

function judgeReady(nodes: readonly NodeView[]): Verdict {
  const [bad, good] = [nodes.filter(({ ready }) => !ready), nodes.filter(({ ready }) => ready)];
  const why = bad.map(({ name, message }) => `${name} (${message || 'not Ready'})`).join(', ');
  const seen = `${good.length} of ${nodes.length} Ready${why ? `; not: ${why}` : ''}`;
  const remedy = 'Look at them: kubectl describe node NAME, and at the kubelet there.';
  if (good.length === 0) return failure('cluster-unfit', seen, remedy);
  return bad.length > 0 ? warning(seen, remedy) : pass(seen);
}

function judgeSchedulable(nodes: readonly NodeView[]): Verdict {
  const open = nodes.filter(({ cordoned, taints }) => !cordoned && taints.length === 0);
  if (open.length > 0) return pass(`${open.length} of ${nodes.length}`);
  const why = nodes.map(
    ({ name, cordoned, taints }) => `${name} (${cordoned ? 'cordoned' : taints.join(', ')})`,
  );
  const remedy = 'Let one take pods: kubectl uncordon NAME, or remove the taint, or add a node.';
  return failure('cluster-unfit', `none: ${why.join(', ') || 'there is no node'}`, remedy);
}

const WORKERS = 3;

function judgeWorkers(nodes: readonly NodeView[]): Verdict {
  const workers = nodes.filter(({ controlPlane }) => !controlPlane);
  const seen = `${workers.length}${workers.length > 0 ? `: ${names(workers)}` : ''}`;
  if (workers.length >= WORKERS) return pass(`${workers.length}`);
  return warning(seen, 'With fewer, losing one may take the platform down. Add nodes.');
}

const GIB = 2 ** 30;
/** Room for the primitives and a small platform; a large one says more in its own documents. */
const LEAST = { cpu: 4, memory: 8 * GIB, pods: 60 } as const;

function judgeCapacity(nodes: readonly NodeView[]): Verdict {
  const sum = (pick: (one: NodeView['allocatable']) => number) =>
    nodes.reduce((all, { allocatable }) => all + pick(allocatable), 0);
  const [cpu, memory, pods] = [sum((a) => a.cpu), sum((a) => a.memory), sum((a) => a.pods)];
  const seen = `${round(cpu)} cores, ${round(memory / GIB)} GiB, ${pods} pods`;
  const enough = cpu >= LEAST.cpu && memory >= LEAST.memory && pods >= LEAST.pods;
  return enough ? pass(seen) : warning(seen, 'Pods may stay Pending. Add nodes, or larger ones.');
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

function judgeDns(pods: readonly PodView[]): Verdict {
  const ready = pods.filter((pod) => pod.ready);
  const seen = `${ready.length} of ${pods.length} pods ready`;
  if (ready.length > 0) return pass(seen);
  const remedy =
    'Nothing in the cluster finds a Service without it: kubectl -n kube-system get deployment,pods -l k8s-app=kube-dns';
  return failure('cluster-unfit', pods.length > 0 ? seen : 'no pod (k8s-app=kube-dns)', remedy);
}

function judgeStorage(classes: readonly StorageClassView[]): Verdict {
  const usual = classes.filter(({ isDefault }) => isDefault);
  const remedy =
    'A claim that names no class stays Pending. Mark one: storageclass.kubernetes.io/is-default-class=true';
  if (classes.length === 0) return warning('there is no StorageClass', remedy);
  if (usual.length === 0) return warning(`none of ${names(classes)} is the default`, remedy);
  return pass(`${names(usual)}${classes.length > 1 ? `, of ${classes.length}` : ''}`);
}
