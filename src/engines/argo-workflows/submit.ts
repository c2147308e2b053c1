// Submitting a plan as a Workflow.
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { refusal } from '../../session/refused-write.ts';
import { createWorkflow } from '../../session/writes/workflow-writes.ts';
import { type CompileOptions, compileWorkflow } from './compile-workflow.ts';
import { unfinishedWorkflows } from './find-workflows.ts';

export interface SubmitRequest extends CompileOptions {
  readonly plan: Plan;
  readonly target: Cluster;
  /** The suffix of the name. */
  readonly suffix: string;
  /** If another Workflow of the platform has not finished: wait for it instead of refusing. */
  readonly wait: boolean;
}

export interface Submitted {
  readonly name: string;
  /** The unfinished Workflow of the platform. */
  readonly waitsFor: WorkflowView | undefined;
}

/** Throws the reason for which a submission would be refused, as far as it can be known before. */
export async function checkSubmission(
  request: Omit<SubmitRequest, 'suffix'>,
): Promise<ReturnType<typeof compileWorkflow> & Pick<Submitted, 'waitsFor'>> {
  const { plan, target, namespace, wait } = request;
  const compiled = compileWorkflow(plan, request);
  const platform = { name: plan.platform, workflowsNamespace: namespace };
  const [active] = await unfinishedWorkflows(platform, target);
  if (active && !wait) throw alreadyActive(active, plan.platform);
  return { ...compiled, waitsFor: active };
}

/** If the reply is lost, a read tells. */
export async function submitPlan(request: SubmitRequest): Promise<Submitted> {
  const { target, namespace, suffix } = request;
  const { files, workflow, waitsFor } = await checkSubmission(request);
  const { generateName, ...metadata } = workflow.metadata;
  const name = `${generateName}${suffix}`;
  const object = { ...workflow, metadata: { name, ...metadata } };
  const result = await createWorkflow(target, namespace, files, object);
  if (result.kind === 'refused') throw refusal(result, 'cluster', `The Workflow ${quote(name)}`);
  if (result.kind === 'unknown' && !(await target.workflows.get(namespace, name))) {
    const message = `The Workflow could not be submitted: ${result.message}.`;
    throw new TiphysError([{ code: 'cluster-unreachable', message, hint: 'Try again.' }]);
  }
  return { name, waitsFor };
}

function alreadyActive({ namespace, name }: WorkflowView, platform: string): TiphysError {
  const message = `Workflow ${quote(`${namespace}/${name}`)} of platform ${quote(platform)} has not finished.`;
  const hint = 'Follow it with `tiphys status --watch`, stop it with `tiphys stop`, or add --wait.';
  return new TiphysError([{ code: 'run-already-active', message, hint }]);
}
