// What a pod of a Workflow works with: the plan made again from the mounted files, and the cluster that it is in.
import { connectTo, connectToTasks } from '../cli/input/connection.ts';
import { planFor } from '../cli/input/planning.ts';
import type { Io } from '../cli/io.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import type { TiphysError } from '../errors.ts';
import type { TaskSetReads } from '../ports/argo-workflows.ts';
import { inClusterOf, MOUNTS } from './executor-settings.ts';
import { invalid, type PodOptions } from './pod-options.ts';

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
  warn: (message: string) => void,
): Promise<PodRequest> {
  const files = {
    file: MOUNTS.platform,
    ...(io.exists(MOUNTS.environment) && { environment: MOUNTS.environment }),
  };
  const action = options.inventory === undefined ? 'deploy' : 'teardown';
  const planned = await planFor(io, action, { ...options, ...files });
  const { compiled } = planned;
  if (planned.plan.hash !== options.plan) throw changed(options.plan, planned.plan.hash);
  const workflow = workflowOf(io);
  const tokenFile = io.exists(MOUNTS.token) ? { argocdTokenFile: MOUNTS.token } : {};
  const target = await connectTo(inside(io), tokenFile, compiled.platform.argocdNamespace, warn);
  const given = { target, clock: io.clock, workflow, listen, signal };
  if (options.inventory !== undefined) {
    const { teardownParts } = await import('./pod-teardown.ts');
    return { ...given, ...(await teardownParts(io, planned, options, options.inventory)) };
  }
  const { plan, whole } = planned;
  return { ...given, plan, whole, basis: plan.hash };
}

/** Also where Argo CD cannot be reached, or the files are wrong: somebody has to be told. */
export async function podTaskSets(io: Io): Promise<TaskSetReads> {
  return await connectToTasks(inside(io));
}

function inside(io: Io): Io {
  const place = inClusterOf(io.environment);
  return place ? { ...io, inCluster: place } : io;
}

function changed(wanted: string, found: string): TiphysError {
  return invalid(`The files give plan ${found}, not ${wanted}, which the Workflow was made of.`);
}
