// The parts of the stack by name: what `logs`, `kill` and `restart` take, and where each is found.

import { killServer, restartServer } from './argocd.ts';
import { ARGOCD_SERVER, type Config } from './config.ts';
import { Failure, NOT_USABLE } from './failure.ts';
import { kubectl } from './kubectl.ts';
import { answers } from './probe.ts';
import { isRunning, kill, logTail, type Program, start, untilReady } from './processes.ts';
import * as argo from './programs/argo.ts';
import * as cluster from './programs/cluster.ts';

const SERVER = 'argocd-server';

/** Every program of the stack, in the order in which it starts. */
function allPrograms(config: Config): Program[] {
  const kubernetes = [
    cluster.etcd(config),
    cluster.containerd(config),
    cluster.apiServer(config),
    cluster.controllerManager(config),
    cluster.scheduler(config),
    cluster.kubelet(config),
    cluster.kubeProxy(config),
  ];
  if (config.argocd === 'none') return kubernetes;
  return [
    ...kubernetes,
    argo.redis(config),
    argo.repoServer(config),
    argo.applicationController(config),
    argo.applicationSetController(config),
    argo.workflowController(config),
  ];
}

function find(config: Config, name: string): Program | typeof SERVER {
  if (name === SERVER && config.argocd !== 'none') return SERVER;
  const programs = allPrograms(config);
  const found = programs.find((program) => program.name === name);
  if (found) return found;
  const names = [...programs.map((program) => program.name), SERVER].join(', ');
  throw new Failure(`no part of the stack is called '${name}'; there are: ${names}`, NOT_USABLE);
}

/** Ends a part at once. It stays away until it is restarted. */
export async function killByName(config: Config, name: string): Promise<void> {
  const found = find(config, name);
  if (found === SERVER) return killServer(config);
  if (!(await kill(config, found.name))) throw new Failure(`'${name}' does not run`);
}

/** Ends a part if it runs, starts it and waits until it is ready. */
export async function restartByName(config: Config, name: string): Promise<void> {
  const found = find(config, name);
  if (found === SERVER) return restartServer(config);
  await kill(config, found.name);
  await start(config, found);
  await untilReady(config, [found]);
}

export async function logOf(config: Config, name: string, lines: number): Promise<string> {
  const found = find(config, name);
  if (found !== SERVER) return logTail(config, found.name, lines);
  const deployment = ['--namespace=argocd', 'logs', `deployment/${SERVER}`, `--tail=${lines}`];
  return (await kubectl(config, deployment)).trimEnd();
}

export interface PartStatus {
  readonly name: string;
  readonly state: 'ready' | 'not ready' | 'ended' | 'not started';
}

export async function statusOfParts(config: Config): Promise<PartStatus[]> {
  const programs = allPrograms(config).map(async ({ name, isReady }): Promise<PartStatus> => {
    const running = isRunning(config, name);
    if (running === undefined) return { name, state: 'not started' };
    if (!running) return { name, state: 'ended' };
    return { name, state: (await isReady()) ? 'ready' : 'not ready' };
  });
  if (config.argocd === 'none') return Promise.all(programs);
  const server = async (): Promise<PartStatus> => {
    const ready = await answers(`http://${ARGOCD_SERVER}/healthz`);
    return { name: SERVER, state: ready ? 'ready' : 'not ready' };
  };
  return Promise.all([...programs, server()]);
}
