// How commands reach the cluster: with a kubeconfig alone, or with Argo CD's own address.
import { type Command, Option } from 'commander';
import type { TaskSetReads } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { renderWarning } from '../../view/lines.ts';
import type { Io } from '../io.ts';

export interface ConnectionOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly argocdServer?: string;
  readonly argocdCaFile?: string;
  readonly argocdInsecure?: boolean;
  readonly argocdTokenFile?: string;
}

/** The cluster alone. */
export function withKubernetes(command: Command): Command {
  return command
    .addOption(new Option('--kubeconfig <file>', 'as kubectl takes it'))
    .addOption(new Option('--context <name>', 'context of the kubeconfig'));
}

export function withConnection(command: Command): Command {
  return withKubernetes(command)
    .addOption(
      new Option(
        '--argocd-server <url>',
        'address of Argo CD (default: through the Kubernetes API)',
      ),
    )
    .addOption(
      new Option('--argocd-ca-file <file>', 'certificates that sign those of that address'),
    )
    .addOption(
      new Option('--argocd-insecure', 'take any certificate of that address, or none (http)'),
    )
    .addOption(
      new Option(
        '--argocd-token-file <file>',
        'file with the token (default: $ARGOCD_TOKEN_FILE, else the Secret tiphys-argocd-token)',
      ),
    );
}

export async function connectTo(
  io: Io,
  options: ConnectionOptions,
  namespace: string,
  warn = (message: string) => io.stderr(renderWarning(message)),
): Promise<Cluster> {
  const { connect } = await import('../../targets/connect.ts');
  return await connect({
    kubeconfig: options.kubeconfig,
    kubeconfigText: io.kubeconfigText,
    inCluster: io.inCluster,
    context: options.context,
    namespace,
    argocdServer: options.argocdServer,
    argocdCaFile: options.argocdCaFile,
    insecure: options.argocdInsecure,
    argocdTokenFile: options.argocdTokenFile ?? io.environment('ARGOCD_TOKEN_FILE'),
    clock: io.clock,
    random: io.random,
    warn,
  });
}

/** For the agent of a Workflow, which must be able to tell what is wrong with the rest. */
export async function connectToTasks(io: Io): Promise<TaskSetReads> {
  const { connectToTaskSets } = await import('../../targets/connect.ts');
  const { kubeconfigText, inCluster, clock, random } = io;
  return await connectToTaskSets({ kubeconfigText, inCluster, clock, random });
}
