// RFC 3.2.4: the cluster answers, accepts the credentials, and has nodes, DNS and capacity. Each row is judged separately, so that one
// cause changes one row: a cordoned node is still ready, and still counts as capacity.
import { codeOf, TiphysError } from '../errors.ts';
import { isTried, TRIED_VERSIONS } from '../ports/argocd-version.ts';
import type {
  ClusterReader,
  NodeView,
  PodView,
  PreflightContext,
  StorageClassView,
} from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict, warning } from './row.ts';
import type { Wanted } from './wanted.ts';

/** A row that needs a reachable cluster that accepts the credentials. If not, one row says why, and this one refers to it. */
export function onCluster(
  judge: (cluster: ClusterReader) => Promise<Verdict>,
): (world: PreflightContext) => Promise<Verdict> {
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
    const message = 'not checked: the cluster cannot be read';
    throw new TiphysError([{ code: first.code, message, hint }], { cause: error });
  }
}

const { must, should } = prerequisitesOf('3.2.4');

/** What restricts the writes of Workflow pods. */
const POLICY = {
  groupVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
} as const;

/** A row about nodes only. */
const onNodes = (judge: (nodes: readonly NodeView[]) => Verdict) =>
  onCluster(async ({ nodes }) => judge(await nodes()));

export const clusterPrerequisites = ({
  argocdNamespace,
  argocdRootPath,
}: Wanted): readonly Prerequisite[] => [
  must('cluster:api', 'the API server answers', async (world) => {
    const cluster = await orNotJudged(world.cluster);
    const server = await world.server();
    return answered(`${server} answers`, () => cluster.version());
  }),
  must('cluster:authentication', 'the API server accepts the credentials', async (world) =>
    accepted(await orNotJudged(world.cluster)),
  ),
  must(
    'cluster:admission-policies',
    `the API server serves ${POLICY.kind} of ${POLICY.groupVersion}`,
    onCluster(judgePolicies),
  ),
  must('nodes:ready', 'nodes are Ready: their container runtime works', onNodes(judgeReady)),
  must(
    'nodes:schedulable',
    'a node accepts pods: not cordoned, no taint',
    onNodes(judgeSchedulable),
  ),
  should('nodes:workers', 'at least 3 worker nodes', onNodes(judgeWorkers)),
  should(
    'nodes:capacity',
    `at least ${LEAST.cpu} cores, ${LEAST.memory / GIB} GiB, ${LEAST.pods} pods in total`,
    onNodes(judgeCapacity),
  ),
  must(
    'dns',
    'CoreDNS runs in kube-system',
    onCluster(async ({ dnsPods }) => judgeDns(await dnsPods())),
  ),
  should(
    'storage',
    'there is a default StorageClass',
    onCluster(async ({ storageClasses }) => judgeStorage(await storageClasses())),
  ),
  should(
    'argocd:version',
    `an existing Argo CD has a tested version: ${TRIED_VERSIONS}`,
    onCluster(async ({ argocdVersion }) =>
      judgeArgocd(await argocdVersion(argocdNamespace, argocdRootPath)),
    ),
  ),
];

/** Without it the permissions of pods would apply, and nothing would restrict them to the hold. */
async function judgePolicies({ serves, version }: ClusterReader): Promise<Verdict> {
  if (await serves(POLICY.groupVersion, POLICY.kind)) return pass('served');
  const remedy =
    'Upgrade to Kubernetes 1.30 or later: the permissions in workflows/rights.yaml are safe only with these policies. Do not apply them without these.';
  return failure('cluster-unfit', `not served by Kubernetes ${await version()}`, remedy);
}

function judgeArgocd(version: string | undefined): Verdict {
  if (version === undefined) return pass('absent');
  if (isTried(version)) return pass(version);
  return warning(version, 'Tiphys was not tested with it. Rehearse, and try it on a test cluster.');
}

/** Permission checks need an authenticated user. */
async function accepted({ may }: ClusterReader): Promise<Verdict> {
  try {
    await may({ verb: 'create', group: '', resource: 'namespaces' });
    return pass('accepted');
  } catch (error) {
    if (codeOf(error) === 'cluster-unauthorized') throw error;
    return await orNotJudged(() => Promise.reject(error));
  }
}

/** A refusal is also an answer: other rows report it. */
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
  const remedy = 'Check them with kubectl describe node NAME, and the kubelet on the node.';
  if (good.length === 0) return failure('cluster-unfit', seen, remedy);
  return bad.length > 0 ? warning(seen, remedy) : pass(seen);
}

function judgeSchedulable(nodes: readonly NodeView[]): Verdict {
  const open = nodes.filter(({ cordoned, taints }) => !cordoned && taints.length === 0);
  if (open.length > 0) return pass(`${open.length} of ${nodes.length}`);
  const why = nodes.map(
    ({ name, cordoned, taints }) => `${name} (${cordoned ? 'cordoned' : taints.join(', ')})`,
  );
  const remedy = 'Make one schedulable: kubectl uncordon NAME, or remove the taint, or add a node.';
  return failure('cluster-unfit', `none: ${why.join(', ') || 'the cluster has no node'}`, remedy);
}

const WORKERS = 3;

function judgeWorkers(nodes: readonly NodeView[]): Verdict {
  const workers = nodes.filter(({ controlPlane }) => !controlPlane);
  const seen = `${workers.length}${workers.length > 0 ? `: ${names(workers)}` : ''}`;
  if (workers.length >= WORKERS) return pass(`${workers.length}`);
  return warning(seen, 'With fewer nodes, losing one may interrupt the platform. Add nodes.');
}

const GIB = 2 ** 30;
/** Capacity for the primitives and a small platform; a large one documents its own needs. */
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
    'Without it, pods cannot resolve Services: kubectl -n kube-system get deployment,pods -l k8s-app=kube-dns';
  return failure('cluster-unfit', pods.length > 0 ? seen : 'no pod (k8s-app=kube-dns)', remedy);
}

function judgeStorage(classes: readonly StorageClassView[]): Verdict {
  const usual = classes.filter(({ isDefault }) => isDefault);
  const remedy =
    'A claim without a class stays Pending. Mark one class as default: storageclass.kubernetes.io/is-default-class=true';
  if (classes.length === 0) return warning('the cluster has no StorageClass', remedy);
  if (usual.length === 0) return warning(`none of ${names(classes)} is the default`, remedy);
  return pass(`${names(usual)}${classes.length > 1 ? `, of ${classes.length}` : ''}`);
}
