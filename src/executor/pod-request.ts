// What a pod of a Workflow is called with, and what that means: the plan made again from the mounted files, and the cluster
// that it is in.
import { Command } from 'commander';
import { scopeOption } from '../cli/command.ts';
import { connectTo } from '../cli/connection.ts';
import type { Io } from '../cli/io.ts';
import { type PlanningOptions, planFor } from '../cli/planning.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import { TiphysError } from '../errors.ts';
import type { TaskSets } from '../run/target.ts';
import { inClusterOf, MOUNTS, type PodAction } from './settings.ts';

export interface PodOptions extends Omit<PlanningOptions, 'file' | 'environment'> {
  readonly plan: string;
  readonly run?: string;
  readonly layered?: boolean;
  readonly runTimeout?: string;
  readonly keepHold?: boolean;
  readonly concurrency?: string;
}

export function parsePod(action: PodAction, args: readonly string[]) {
  const command = new Command(action)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .argument('[node]')
    .requiredOption('--plan <hash>')
    .option('--run <id>')
    .option('--layered')
    .option('--run-timeout <seconds>')
    .option('--keep-hold')
    .option('--concurrency <n>')
    .option('--with-dependencies')
    .addOption(scopeOption())
    .parse(args, { from: 'user' });
  return { options: command.opts<PodOptions>(), node: command.args[0] ?? '' };
}

/** NAMESPACE/NAME/UID. An agent is told in the words of Argo Workflows. */
export function workflowOf({ environment }: Pick<Io, 'environment'>): string {
  const given = ['WORKFLOW_NAMESPACE', 'ARGO_WORKFLOW_NAME', 'ARGO_WORKFLOW_UID'].map(environment);
  const workflow = environment('WORKFLOW') || (given.every(Boolean) && given.join('/'));
  if (!workflow) throw invalid('WORKFLOW is not set.');
  return workflow;
}

export async function podRequest(
  io: Io,
  options: PodOptions,
  signal: AbortSignal,
  listen: PodRequest['listen'],
): Promise<PodRequest> {
  const files = {
    file: MOUNTS.platform,
    ...(io.exists(MOUNTS.environment) && { environment: MOUNTS.environment }),
  };
  const { plan, whole, compiled } = await planFor(io, 'deploy', { ...options, ...files });
  if (plan.hash !== options.plan) throw changed(options.plan, plan.hash);
  const workflow = workflowOf(io);
  const tokenFile = io.exists(MOUNTS.token) ? { argocdTokenFile: MOUNTS.token } : {};
  const target = await connectTo(inside(io), tokenFile, compiled.platform.argocdNamespace);
  return { plan, whole, target, clock: io.clock, workflow, listen, signal };
}

/** Also where Argo CD cannot be reached, or the files are wrong: somebody has to be told. */
export async function podTaskSets(io: Io): Promise<TaskSets> {
  const { connectToTaskSets } = await import('../targets/connect.ts');
  const { kubeconfigText, inCluster, clock, random } = inside(io);
  return await connectToTaskSets({ kubeconfigText, inCluster, clock, random });
}

function inside(io: Io): Io {
  const place = inClusterOf(io.environment);
  return place ? { ...io, inCluster: place } : io;
}

function changed(wanted: string, found: string): TiphysError {
  return invalid(`The files give plan ${found}, not ${wanted}, which the Workflow was made of.`);
}

function invalid(message: string): TiphysError {
  const hint = 'Submit the plan anew: `tiphys plan -o workflow`.';
  return new TiphysError([{ code: 'variable-invalid', message, hint }]);
}
