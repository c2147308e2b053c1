// Submitting a plan as a Workflow.
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Target } from '../../ports/target.ts';
import { refusal } from '../../session/refused-write.ts';
import { type CompileOptions, compileWorkflow } from './compile-workflow.ts';
import { unfinishedWorkflows } from './find-workflows.ts';

export interface SubmitRequest extends CompileOptions {
  readonly plan: Plan;
  readonly target: Target;
  /** Comes behind the name's beginning. */
  readonly suffix: string;
  /** Where another one of the platform is not over: wait for it rather than refuse. */
  readonly wait: boolean;
}

export interface Submitted {
  readonly name: string;
  /** The one of the platform that is not over. */
  readonly waitsFor: WorkflowView | undefined;
}

/** A reply that is lost is answered by reading. */
export async function submitPlan(request: SubmitRequest): Promise<Submitted> {
  const { plan, target, namespace, suffix, wait } = request;
  const { files, workflow } = compileWorkflow(plan, request);
  const platform = { name: plan.platform, workflowsNamespace: namespace };
  const [active] = await unfinishedWorkflows(platform, target);
  if (active && !wait) throw alreadyActive(active, plan.platform);
  const { generateName, ...metadata } = workflow.metadata;
  const name = `${generateName}${suffix}`;
  const object = { ...workflow, metadata: { name, ...metadata } };
  const result = await target.workflows.create(namespace, files, object);
  if (result.kind === 'refused') throw refusal(result, 'cluster', `The Workflow ${quote(name)}`);
  if (result.kind === 'unknown' && !(await target.workflows.get(namespace, name))) {
    const message = `The Workflow could not be submitted: ${result.message}.`;
    throw new TiphysError([{ code: 'cluster-unreachable', message, hint: 'Try again.' }]);
  }
  return { name, waitsFor: active };
}

function alreadyActive({ namespace, name }: WorkflowView, platform: string): TiphysError {
  const message = `Workflow ${quote(`${namespace}/${name}`)} of platform ${quote(platform)} is not over.`;
  const hint = 'Follow it with `tiphys status --watch`, end it with `tiphys stop`, or add --wait.';
  return new TiphysError([{ code: 'run-already-active', message, hint }]);
}
