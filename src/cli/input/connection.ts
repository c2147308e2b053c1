// How commands reach the cluster: with a kubeconfig alone, or with Argo CD's own address.
import { Option } from 'commander';
import type { Platform } from '../../model/platform.ts';
import type { Action } from '../../plan/plan.ts';
import type { TaskSetReads } from '../../ports/argo-workflows.ts';
import type { AccountUse } from '../../ports/argocd-accounts.ts';
import type { Cluster } from '../../ports/target.ts';
import { renderWarning } from '../../view/lines.ts';
import type { Io } from '../io.ts';
import { type Planned, type PlanningOptions, planFor } from './planning.ts';

export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly argocdServer?: string;
  readonly argocdCaFile?: string;
  readonly argocdInsecure?: boolean;
  readonly argocdTokenFile?: string;
}

/** The cluster alone. */
export const KUBERNETES: readonly Option[] = [
  new Option('--kubeconfig <file>', 'as kubectl takes it'),
  new Option('--context <name>', 'context of the kubeconfig'),
];

export const CONNECTION: readonly Option[] = [
  ...KUBERNETES,
  new Option('--argocd-server <url>', 'address of Argo CD (default: through the Kubernetes API)'),
  new Option('--argocd-ca-file <file>', 'certificates that sign those of that address'),
  new Option('--argocd-insecure', 'take any certificate of that address, or none (http)'),
  new Option(
    '--argocd-token-file <file>',
    'file with the token (default: $ARGOCD_TOKEN_FILE, else a Secret tiphys-argocd-token*)',
  ),
];

/** Where files say that Argo CD is, and what reaches the clusters that it deploys to. */
export type ArgocdPlace = Pick<Platform, 'argocdNamespace'> &
  Partial<Pick<Platform, 'argocdRootPath' | 'argocdProxy' | 'contexts' | 'probes'>>;

export async function connectTo(
  io: Io,
  options: ConnectionOptions,
  place: ArgocdPlace,
  use: AccountUse,
  warn = (message: string) => io.stderr(renderWarning(message)),
): Promise<Cluster> {
  const { connect } = await import('../../targets/connect.ts');
  return await connect({
    ...options,
    kubeconfigText: io.kubeconfigText,
    inCluster: io.inCluster,
    environment: io.environment,
    runProgram: io.runProgram,
    namespace: place.argocdNamespace,
    rootPath: place.argocdRootPath,
    argocdProxy: place.argocdProxy,
    contexts: place.contexts ?? new Map(),
    probes: place.probes && {
      ...place.probes,
      image: place.probes.image ?? `tiphys-executor:${io.version()}`,
    },
    insecure: options.argocdInsecure,
    use,
    argocdTokenFile: options.argocdTokenFile ?? io.environment('ARGOCD_TOKEN_FILE'),
    clock: io.clock,
    random: io.random,
    warn,
  });
}

export interface Opened extends Planned {
  readonly platform: Platform;
  readonly target: Cluster;
}

/** The plan, and the cluster that it is for. */
export async function openPlatform(
  io: Io,
  action: Action,
  options: PlanningOptions & ConnectionOptions,
  use: AccountUse,
  warn?: (message: string) => void,
): Promise<Opened> {
  const planned = await planFor(io, action, options);
  const { platform } = planned.compiled;
  const target = await connectTo(io, options, platform, use, warn);
  return { ...planned, platform, target };
}

/** For the agent of a Workflow, which must be able to tell what is wrong with the rest. */
export async function connectToTasks(io: Io): Promise<TaskSetReads> {
  const { connectToTaskSets } = await import('../../targets/connect.ts');
  return await connectToTaskSets(io);
}
