// The real stack as a world of the conformance suite.
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { processIo } from '../../../src/process.ts';
import { directTransport } from '../../../src/targets/argocd/route.ts';
import { connect } from '../../../src/targets/connect.ts';
import { httpTransport } from '../../../src/targets/http/http-transport.ts';
import { kubernetesCredentials } from '../../../src/targets/kubernetes/credentials.ts';
import type { Transport, TransportRequest } from '../../../src/targets/transport.ts';
import type { Becomes, Manifest, World } from '../../conformance/argocd-world.ts';
import { ARGOCD_SERVER, kubeconfigFile, tokenFile } from '../config.ts';
import { argocdSettings } from './nested-health.ts';
import type { Scratch } from './scratch.ts';
import { deployment, standin } from './workloads.ts';

const { clock, random, environment, runProgram } = processIo;
const HOUR = '1h';

export async function stackWorld(scratch: Scratch): Promise<World> {
  const { config } = scratch.stack;
  const kubeconfig = kubeconfigFile(config);
  const server = { server: `http://${ARGOCD_SERVER}`, caFile: undefined, insecure: true };
  const direct = await directTransport(server, clock);
  const credentials = await kubernetesCredentials(
    { kubeconfig, context: undefined, environment, runProgram },
    clock,
  );
  const token = (account: string) => readFileSync(tokenFile(config, account), 'utf8').trim();
  const argocdTokenFile = tokenFile(config);
  return {
    id: scratch.name,
    clock,
    target: await connect({
      ...{ kubeconfig, namespace: 'argocd', argocdTokenFile, clock, random },
      ...{ environment, runProgram },
    }),
    kubernetes: httpTransport(credentials.access, clock),
    argocd: (with_) => authorized(direct, with_),
    tokens: { tiphys: token('tiphys'), reader: token('reader') },
    argocdNamespace: 'argocd',
    repository: scratch.repository.url,
    commit: (folder, manifests) => commit(scratch, folder, manifests),
    gitReachable: (reachable) => gitReachable(scratch, reachable),
    deployment: standinDeployment,
    job: standinJob,
    storage: { deletes: 'directory', keeps: 'directory-retain' },
    settings: (keys) => argocdSettings(scratch, keys),
  };
}

function authorized(transport: Transport, token: string): Transport {
  const signed = (request: TransportRequest) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
  });
  return {
    send: (request) => transport.send(signed(request)),
    stream: (request) => transport.stream(signed(request)),
  };
}

/** A folder that holds nothing still exists: Git keeps no empty ones. */
function commit(scratch: Scratch, folder: string, manifests: readonly Manifest[]) {
  const content = manifests.length === 0 ? null : manifests;
  return scratch.repository.commit({
    [`${folder}/manifests.yaml`]: content,
    [`${folder}/notes.txt`]: 'nothing to deploy',
  });
}

async function gitReachable({ repository }: Scratch, reachable: boolean): Promise<void> {
  const { directory } = repository;
  const away = `${directory}.away`;
  await (reachable ? rename(away, directory) : rename(directory, away));
}

function standinDeployment(name: string, becomes: Becomes, version = '1'): Manifest {
  const readyAfter = typeof becomes === 'number' ? `${becomes}s` : HOUR;
  const labels = { version };
  const { spec, ...rest } = deployment({ name, readyAfter, labels });
  const made = { ...rest, metadata: { name } };
  if (becomes !== 'fails') return { ...made, spec };
  // Its pod ends again and again, and its deadline is over soon.
  const { template } = spec;
  const containers = template.spec.containers.map((one) => ({
    ...one,
    ...standin('exit', '--code=1'),
  }));
  const failing = { ...template, spec: { ...template.spec, containers } };
  return { ...made, spec: { ...spec, template: failing, progressDeadlineSeconds: 1 } };
}

function standinJob(name: string, becomes: Becomes): Manifest {
  const seconds = typeof becomes === 'number' ? `${becomes}s` : HOUR;
  const how = becomes === 'fails' ? ['--code=1'] : [`--after=${seconds}`];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          containers: [standin('exit', ...how)],
        },
      },
    },
  };
}
