// What a pod of a Workflow works with: the plan made again from the mounted files, and the cluster that it is in.
import { connectTo, connectToTasks } from '../cli/input/connection.ts';
import { type Planned, planFor } from '../cli/input/planning.ts';
import type { Io } from '../cli/io.ts';
import { policyOf, STUCK_AFTER_SECONDS } from '../cli/options/policy-options.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import { approvedPlan } from '../engines/teardown/approved-plan.ts';
import { approvalIn } from '../engines/teardown/stored-inventory.ts';
import { buildPlan } from '../plan/build-plan.ts';
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
  const { inventory } = options;
  const action = inventory === undefined ? 'deploy' : 'teardown';
  const planned = await planFor(io, action, { ...options, ...files });
  const { plan, whole, compiled } = planned;
  if (plan.hash !== options.plan)
    throw invalid(
      `The files give plan ${plan.hash}, but the Workflow was generated from plan ${options.plan}.`,
    );
  const workflow = workflowOf(io);
  const tokenFile = io.exists(MOUNTS.token) ? { argocdTokenFile: MOUNTS.token } : {};
  const target = await connectTo(inside(io), tokenFile, compiled.platform, action, warn);
  const { clusterName } = compiled.platform;
  const given = { target, clock: io.clock, workflow, listen, signal, clusterName };
  if (inventory === undefined) return { ...given, plan, whole, basis: plan.hash };
  return { ...given, ...teardownParts(io, planned, options, inventory) };
}

/** Of a ConfigMap. */
const BYTES_MAX = 1024 * 1024;

/** The inventory that was approved comes with the Workflow's files. */
function teardownParts(
  io: Io,
  { plan, whole, compiled }: Planned,
  options: PodOptions,
  hash: string,
): Pick<PodRequest, 'plan' | 'whole' | 'basis' | 'teardown'> {
  const approved = approvalIn(io.readFile(MOUNTS.inventory, BYTES_MAX));
  // Its text gives its hash, so nothing of it was changed.
  if (approved?.hash !== hash)
    throw invalid(`The files do not contain the approved inventory ${hash}.`);
  return {
    plan: approvedPlan(plan, approved),
    whole: approvedPlan(whole, approved),
    basis: hash,
    teardown: {
      planned: { plan, whole },
      policy: policyOf(options),
      approved,
      deployment: buildPlan(compiled, { action: 'deploy' }),
      stuckAfter: options.stuckAfter ?? STUCK_AFTER_SECONDS,
      unsafe: new Set(options.unsafeRemoveFinalizers),
    },
  };
}

/** Also where Argo CD cannot be reached, or the files are wrong: the run must learn of it. */
export const podTaskSets = (io: Io): Promise<TaskSetReads> => connectToTasks(inside(io));

function inside(io: Io): Io {
  const place = inClusterOf(io.environment);
  return place ? { ...io, inCluster: place } : io;
}
