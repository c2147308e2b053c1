// Which run belongs to a Workflow, and which ran last.
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { leaseName, runOf } from '../../session/lease/lease-data.ts';
import { lastOf, listRuns, type RunSummary, readRun } from '../../session/record/history.ts';
import { isWorkflowOver, lastWorkflow, type Place } from './find-workflows.ts';
import { holderOf } from './pod.ts';

/** The sources about runs: Workflows, the Lease, the record. */
type Searched = Pick<Cluster, 'workflows' | 'leases' | 'store'>;

type LastRun = { readonly workflow: WorkflowView } | { readonly recorded: RunSummary };

/**
 * What ran last, if nothing is active: the newest Workflow, unless another engine has run the platform since. A Workflow
 * whose begin refused has no record: the newest run of the record would be an earlier one.
 */
export async function lastRun(platform: Place, target: Searched): Promise<LastRun | undefined> {
  const [workflow, runs, lease] = await Promise.all([
    lastWorkflow(platform, target),
    listRuns(target.store, platform.name),
    target.leases.get(leaseName(platform.name)),
  ]);
  const newest = lastOf(runs, lease);
  if (!workflow) return newest && { recorded: newest };
  const { run } = await runOfWorkflow(workflow, platform.name, target);
  const isLater = newest && newest.started > new Date(workflow.createdAt).toISOString();
  return isLater && newest.run !== run ? { recorded: newest } : { workflow };
}

interface FoundRun {
  /** Undefined if it has not started. */
  readonly run?: string | undefined;
  /** The current holder of the platform, if it is another one. */
  readonly holder?: string;
}

/** If the Workflow has too many nodes to include the output of its begin, the Lease has it, and after its end the record. */
export async function runOfWorkflow(
  workflow: WorkflowView,
  platform: string,
  target: Searched,
): Promise<FoundRun> {
  const { run, isPacked, namespace, name, uid } = workflow;
  if (run !== undefined) return { run };
  if (isWorkflowOver(workflow))
    return isPacked ? { run: await recordedRun(workflow, platform, target) } : {};
  const lease = await target.leases.get(leaseName(platform));
  if (!lease?.holder) return {};
  const isOurs = lease.holder === holderOf(`${namespace}/${name}/${uid}`);
  return isOurs ? { run: runOf(lease)?.run } : { holder: lease.holder };
}

/** The first run that a Workflow started after this one was created: no other one can run before it. */
async function recordedRun(
  { createdAt }: WorkflowView,
  platform: string,
  { store }: Pick<Cluster, 'store'>,
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
