// How commands connect to the cluster: with a kubeconfig alone, or with the address of Argo CD.
import { Option } from 'commander';
import type { Platform } from '../../model/platform.ts';
import type { Action } from '../../plan/plan.ts';
import type { TaskSetReads } from '../../ports/argo-workflows.ts';
import type { AccountUse } from '../../ports/argocd-accounts.ts';
import type { Cluster } from '../../ports/target.ts';
import type { DefaultInUse } from '../../report/where.ts';
import { renderWarning } from '../../view/lines.ts';
import { SettableOption } from '../defaults/settable-option.ts';
import type { Io } from '../io.ts';
import { lookOn } from '../output/look-on.ts';
import { type Planned, type PlanningOptions, planFor } from './planning.ts';

export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly argocdServer?: string;
  readonly argocdCaFile?: string;
  readonly argocdInsecure?: boolean;
  readonly argocdTokenFile?: string;
  /** What of the options was not on the command line. */
  readonly defaults?: readonly DefaultInUse[];
}

/** Without Argo CD. */
export const KUBERNETES: readonly Option[] = [
  new SettableOption(
    '--kubeconfig <file>',
    'path to the kubeconfig file (default: $KUBECONFIG, else ~/.kube/config)',
  ),
  new SettableOption(
    '--context <name>',
    'context in the kubeconfig (default: the current context)',
  ),
];

export const CONNECTION: readonly Option[] = [
  ...KUBERNETES,
  new SettableOption(
    '--argocd-server <url>',
    'URL of the Argo CD server (default: through the Kubernetes API)',
  ),
  new SettableOption('--argocd-ca-file <file>', 'CA bundle for the Argo CD server'),
  new Option('--argocd-insecure', 'skip TLS verification of the Argo CD server, or use plain HTTP'),
  new SettableOption(
    '--argocd-token-file <file>',
    'path to a file with the Argo CD token (default: $ARGOCD_TOKEN_FILE, else the Secret tiphys-argocd-token*)',
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
  warn = (message: string) => io.stderr(renderWarning(message, lookOn(io, 'stderr'))),
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
    onSlow: slowNotice(io, warn),
    warn,
  });
}

const NOTICE_MS = 10_000;

/**
 * Many requests may be slow at the same time: one warning speaks for all of them. That a request only takes long is news for
 * people at a terminal; a log gets failures.
 */
function slowNotice({ clock, screen }: Io, warn: (message: string) => void) {
  let next = 0;
  return (reason: string | undefined) => {
    if (clock.monotonic() < next || (reason === undefined && !screen())) return;
    next = clock.monotonic() + NOTICE_MS;
    warn(
      reason === undefined
        ? 'no answer from the cluster yet; still waiting'
        : `no answer from the cluster (${reason}); retrying`,
    );
  };
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
