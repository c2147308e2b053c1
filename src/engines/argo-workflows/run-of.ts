// Which run a Workflow is.

import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { LeaseView } from '../../ports/lease-store.ts';
import type { Target } from '../../ports/target.ts';
import { leaseName, runOf } from '../../session/lease/lease-data.ts';
import { listRuns, readRun } from '../../session/record/history.ts';
import { isWorkflowOver } from './find-workflows.ts';
import { holderOf } from './pod.ts';

export interface FoundRun {
  /** Undefined where it has not begun. */
  readonly run: string | undefined;
  /** Whoever else has the platform. */
  readonly holder: string | undefined;
}

/** Where the Workflow has too many nodes to tell what its beginning gave, the Lease does, and once it is over the record. */
export async function runOfWorkflow(
  workflow: WorkflowView,
  platform: string,
  target: Target,
): Promise<FoundRun> {
  const { run, isPacked } = workflow;
  if (run !== undefined) return { run, holder: undefined };
  if (isWorkflowOver(workflow)) {
    const recorded = isPacked ? await recordedRun(workflow, platform, target) : undefined;
    return { run: recorded, holder: undefined };
  }
  const lease = await target.leases.get(leaseName(platform));
  if (!lease?.holder) return { run: undefined, holder: undefined };
  return isOurs(lease, workflow)
    ? { run: runOf(lease)?.run, holder: undefined }
    : { run: undefined, holder: lease.holder };
}

const isOurs = ({ holder }: LeaseView, { namespace, name, uid }: WorkflowView): boolean =>
  holder === holderOf(`${namespace}/${name}/${uid}`);

/** The first that a Workflow began after this one was made: no other one can run before it. */
async function recordedRun(
  { createdAt }: WorkflowView,
  platform: string,
  { store }: Target,
): Promise<string | undefined> {
  const since = new Date(createdAt).toISOString();
  const begun: { readonly run: string; readonly time: string }[] = [];
  for (const { run } of await listRuns(store, platform)) {
    const history = await readRun(store, platform, run);
    for (const event of history?.events ?? []) {
      const isOne = event.type === 'run.started' && event.engine === 'argo-workflows';
      if (isOne && event.time >= since) begun.push({ run, time: event.time });
    }
  }
  return begun.sort((a, b) => (a.time < b.time ? -1 : 1))[0]?.run;
}
