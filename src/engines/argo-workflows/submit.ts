// Submitting a plan as a Workflow, finding the one that runs, and stopping it.
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Target, WorkflowView } from '../../run/target.ts';
import { leaseName } from '../lease/lease-data.ts';
import { refusal } from '../refusal.ts';
import { type CompileOptions, compileWorkflow, PLATFORM_LABEL } from './compile.ts';
import { holderOf } from './pod.ts';

export { ACTION } from './compile.ts';

export interface SubmitRequest extends CompileOptions {
  readonly plan: Plan;
  readonly target: Target;
  /** Comes behind the name's beginning. */
  readonly suffix: string;
  /** Where another one of the platform is not over: wait for it rather than refuse. */
  readonly wait: boolean;
}

/** The name. A reply that is lost is answered by reading. */
export async function submitPlan(request: SubmitRequest): Promise<string> {
  const { plan, target, namespace, suffix, wait } = request;
  const { files, workflow } = compileWorkflow(plan, request);
  const active = await activeWorkflow(plan.platform, namespace, target);
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
  return name;
}

/** The oldest that is not over: the others wait for it. */
export async function activeWorkflow(
  platform: string,
  namespace: string,
  target: Target,
): Promise<WorkflowView | undefined> {
  const listed = await target.workflows.list(namespace, new Map([[PLATFORM_LABEL, platform]]));
  if (!listed) throw notInstalled();
  return listed
    .filter((one) => !isWorkflowOver(one))
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))[0];
}

export const isWorkflowOver = ({ phase }: WorkflowView): boolean =>
  ['Succeeded', 'Failed', 'Error'].includes(phase);

/** NAMESPACE and NAME of the Workflow that has the platform; undefined where it is no Workflow, or nobody. */
export async function owningWorkflow(
  platform: string,
  target: Target,
): Promise<{ readonly namespace: string; readonly name: string } | undefined> {
  const lease = await target.leases.get(leaseName(platform));
  const [, namespace, name] = OWNER.exec(lease?.holder ?? '') ?? [];
  return namespace && name ? { namespace, name } : undefined;
}

const OWNER = new RegExp(`^${holderOf('([^/]+)/([^/]+)/[^/]+')}$`);

function alreadyActive({ namespace, name }: WorkflowView, platform: string): TiphysError {
  const message = `Workflow ${quote(`${namespace}/${name}`)} of platform ${quote(platform)} is not over.`;
  const hint = 'Follow it with `tiphys status --watch`, end it with `tiphys stop`, or add --wait.';
  return new TiphysError([{ code: 'run-already-active', message, hint }]);
}

function notInstalled(): TiphysError {
  const message = 'The cluster does not know Workflows: Argo Workflows is not installed.';
  const hint = 'Install it, or take the embedded engine.';
  return new TiphysError([{ code: 'workflows-not-found', message, hint }]);
}
