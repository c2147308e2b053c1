// RFC 3.2.5 from inside the cluster, by a temporary pod. Created only on request: preflight itself changes nothing. A running pod also
// shows that an image can be pulled.
import { orNotJudged } from './cluster.ts';
import { type Endpoint, endpointsOf, reached } from './connectivity.ts';
import type { Answer, PodRun, PreflightContext } from './preflight-context.ts';
import { failure, type Prerequisite, pass, prerequisitesOf, type Verdict } from './row.ts';
import type { Wanted } from './wanted.ts';

const { must } = prerequisitesOf('3.2.5');

export function fromClusterPrerequisites(wanted: Wanted): readonly Prerequisite[] {
  if (!wanted.fromCluster) return [];
  // A folder of this machine is not visible from there; this machine downloads the charts.
  const endpoints = endpointsOf(wanted).filter(
    ({ probe, fetchedBy }) => probe.kind !== 'file' && fetchedBy === 'cluster',
  );
  let asked: Promise<PodRun> | undefined;
  const ask = (world: PreflightContext): Promise<PodRun> => {
    asked ??= orNotJudged(() =>
      world.askFromCluster(endpoints.map(({ id, probe }) => ({ id, ...probe }))),
    );
    return asked;
  };
  return [
    must('pod', 'a pod with the given image starts in the cluster', async (world) =>
      judgePod(await ask(world)),
    ),
    ...endpoints.map((endpoint) =>
      must(`${endpoint.id}:from-cluster`, `the cluster reaches ${endpoint.what}`, async (world) =>
        judgeFromCluster(endpoint, await ask(world)),
      ),
    ),
  ];
}

function judgePod(run: PodRun): Verdict {
  if (run.left !== undefined) {
    const remedy = `Remove it: kubectl --namespace=default delete pod ${run.left}`;
    return failure('cluster-unfit', `the pod ${run.left} could not be removed`, remedy);
  }
  if (run.kind === 'ran') return pass('it ran');
  const remedy = 'Check the image, the nodes, and the policies for pods in the namespace default.';
  return failure('cluster-unfit', run.reason, remedy);
}

function judgeFromCluster(endpoint: Endpoint, run: PodRun): Verdict {
  if (run.kind === 'not-run') {
    return failure('cluster-unfit', 'not checked: the pod did not run', 'See the row pod.');
  }
  const nothing: Answer = { kind: 'silent', reason: 'the pod reported nothing' };
  const seen = reached(endpoint, run.answers.get(endpoint.id) ?? nothing);
  if (typeof seen !== 'string') return seen;
  const remedy = 'Allow network access from the nodes, or set up an internal mirror.';
  return failure('endpoint-unreachable', seen, remedy);
}
