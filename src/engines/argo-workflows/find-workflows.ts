// Which Workflow of a platform is meant: the active one, or the last one.
import { TiphysError } from '../../errors.ts';
import { compareText } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { leaseName } from '../../session/lease/lease-data.ts';
import { PLATFORM_LABEL } from './compile-workflow.ts';
import { holderOf } from './pod.ts';

/** The identity of a Workflow. */
type Searched = Pick<Cluster, 'workflows' | 'leases'>;

export type Place = Pick<Platform, 'name' | 'workflowsNamespace'>;

export const isWorkflowOver = ({ phase }: WorkflowView): boolean =>
  ['Succeeded', 'Failed', 'Error'].includes(phase);

/**
 * The Workflow that owns the platform, in any namespace; otherwise the oldest one that has not finished: the others wait
 * for it. A terminated Workflow still has the Lease for a while and does not count: the one that waits to take over does.
 */
export async function runningWorkflow(
  platform: Place,
  target: Searched,
): Promise<WorkflowView | undefined> {
  const owner = await owningWorkflow(platform.name, target);
  return owner && !isWorkflowOver(owner) ? owner : (await unfinishedWorkflows(platform, target))[0];
}

/** All unfinished ones, oldest first. */
export async function unfinishedWorkflows(
  platform: Place,
  target: Searched,
): Promise<readonly WorkflowView[]> {
  return (await listed(platform, target)).filter((one) => !isWorkflowOver(one));
}

/** The newest, finished or not. */
export async function lastWorkflow(
  platform: Place,
  target: Searched,
): Promise<WorkflowView | undefined> {
  return (await listed(platform, target)).at(-1);
}

/** Oldest first. */
async function listed(
  { name, workflowsNamespace }: Place,
  target: Searched,
): Promise<readonly WorkflowView[]> {
  const found = await target.workflows.list(workflowsNamespace, new Map([[PLATFORM_LABEL, name]]));
  if (!found) throw notInstalled();
  return [...found].sort((a, b) => compareText(a.createdAt, b.createdAt));
}

/**
 * The Workflow in whose name the Lease is held. Undefined if it is free, or the holder is not a Workflow, or it no
 * longer exists.
 */
async function owningWorkflow(
  platform: string,
  target: Searched,
): Promise<WorkflowView | undefined> {
  const lease = await target.leases.get(leaseName(platform));
  const [, namespace, name, uid] = OWNER.exec(lease?.holder ?? '') ?? [];
  if (!namespace || !name) return undefined;
  const found = await target.workflows.get(namespace, name);
  return found?.uid === uid ? found : undefined;
}

const OWNER = new RegExp(`^${holderOf('([^/]+)/([^/]+)/([^/]+)')}$`);

function notInstalled(): TiphysError {
  const message = 'Argo Workflows is not installed: the cluster has no Workflow resource.';
  const hint = 'Install it, or use the embedded engine.';
  return new TiphysError([{ code: 'workflows-not-found', message, hint }]);
}
