// What ran last, where nothing runs: the newest Workflow, unless another engine has run the platform since.
import type { Platform } from '../../model/platform.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Target } from '../../ports/target.ts';
import { listRuns, type RunSummary } from '../../session/record/history.ts';
import { lastWorkflow } from './find-workflows.ts';
import { runOfWorkflow } from './run-of.ts';

type LastRun = { readonly workflow: WorkflowView } | { readonly recorded: RunSummary };

/** A Workflow whose beginning refused has no record: the newest run of the record would be that of one before. */
export async function lastRun(
  platform: Pick<Platform, 'name' | 'workflowsNamespace'>,
  target: Target,
): Promise<LastRun | undefined> {
  const [workflow, [newest]] = await Promise.all([
    lastWorkflow(platform, target),
    listRuns(target.store, platform.name),
  ]);
  if (!workflow) return newest && { recorded: newest };
  const { run } = await runOfWorkflow(workflow, platform.name, target);
  const isLater = newest && newest.started > new Date(workflow.createdAt).toISOString();
  return isLater && newest.run !== run ? { recorded: newest } : { workflow };
}
