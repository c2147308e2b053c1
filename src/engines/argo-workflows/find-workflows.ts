// Which Workflow of a platform is meant: the one that runs it, or the last one.
import { TiphysError } from '../../errors.ts';
import { compareText } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { leaseName } from '../../session/lease/lease-data.ts';
import { PLATFORM_LABEL } from './compile-workflow.ts';
import { holderOf } from './pod.ts';

/** What tells which Workflow it is. */
type Searched = Pick<Cluster, 'workflows' | 'leases'>;

export type Place = Pick<Platform, 'name' | 'workflowsNamespace'>;

export const isWorkflowOver = ({ phase }: WorkflowView): boolean =>
  ['Succeeded', 'Failed', 'Error'].includes(phase);

/**
 * Whoever has the platform, wherever it is, else the oldest that is not over: the others wait for it. One that was terminated
 * still has the Lease for a while, and is not meant: what waits to take over is.
 */
export async function runningWorkflow(
  platform: Place,
  target: Searched,
): Promise<WorkflowView | undefined> {
  const owner = await owningWorkflow(platform.name, target);
  return owner && !isWorkflowOver(owner) ? owner : (await unfinishedWorkflows(platform, target))[0];
}

/** All that are not over, the oldest first. */
export async function unfinishedWorkflows(
  platform: Place,
  target: Searched,
): Promise<readonly WorkflowView[]> {
  return (await listed(platform, target)).filter((one) => !isWorkflowOver(one));
}

/** The newest, over or not. */
export async function lastWorkflow(
  platform: Place,
  target: Searched,
): Promise<WorkflowView | undefined> {
  return (await listed(platform, target)).at(-1);
}

/** The oldest first. */
async function listed(
  { name, workflowsNamespace }: Place,
  target: Searched,
): Promise<readonly WorkflowView[]> {
  const found = await target.workflows.list(workflowsNamespace, new Map([[PLATFORM_LABEL, name]]));
  if (!found) throw notInstalled();
  return [...found].sort((a, b) => compareText(a.createdAt, b.createdAt));
}

/** The one in whose name the Lease is held. Undefined where nobody holds it, it is no Workflow, or that is gone. */
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
  const message = 'The cluster does not know Workflows: Argo Workflows is not installed.';
  const hint = 'Install it, or take the embedded engine.';
  return new TiphysError([{ code: 'workflows-not-found', message, hint }]);
}
