// --engine argo-workflows: submits a plan and follows it. To stop following does not stop the Workflow.
import type { CompileOptions } from '../../engines/argo-workflows/compile-workflow.ts';
import { EXIT, type ExitStatus, TiphysError, usageError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { Plan } from '../../plan/plan.ts';
import type { ShownPlan } from '../../plan/timed-plan.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Report } from '../../report/run-report.ts';
import type { Where } from '../../report/where.ts';
import { CLI } from '../../run/started-by.ts';
import { submittedText } from '../../view/result-text.ts';
import type { Planned, PlanningOptions } from '../input/planning.ts';
import type { Io } from '../io.ts';
import type { WorkflowOptions } from '../options/run-options.ts';
import { type ActionContext, type RunOutput, type Submitted, tellRun } from '../output/output.ts';
import { compileOptions } from './plan-workflow.ts';
import { shownPlan } from './shown-plan.ts';

type Options = PlanningOptions & WorkflowOptions;

/** What to run, and settings that override those of the plan. */
export interface Submission extends Pick<CompileOptions, 'teardown' | 'keepHold' | 'strict'> {
  readonly planned: Planned;
  readonly plan: Plan;
  readonly target: Cluster;
  /** Where that is, for the report. */
  readonly where?: Where | undefined;
}

const SUFFIX = 5;

export async function runAsWorkflow(
  context: ActionContext,
  submission: Submission,
  options: Options,
): Promise<ExitStatus> {
  const { io, output } = context;
  const { submitPlan } = await import('../../engines/argo-workflows/submit.ts');
  const { planned, plan, target, teardown, keepHold = false, strict = false } = submission;
  const { requireClusterName } = await import('../../session/cluster-name.ts');
  await requireClusterName(planned.compiled.platform.clusterName, target);
  const compile = compileOptions(io, planned, options);
  const { startedBy } = await import('../../session/started-by.ts');
  const { user: submittedBy } = await startedBy(target, io.trigger ?? CLI, io.clock);
  const { namespace } = compile;
  const { name, waitsFor } = await submitPlan({
    ...compile,
    plan,
    target,
    wait: options.wait ?? false,
    keepHold,
    strict,
    ...(teardown && { teardown }),
    submittedBy,
    suffix: io.randomId().slice(0, SUFFIX),
  });
  const submitted: Submitted = {
    apiVersion: API_VERSION,
    kind: 'Submitted',
    platform: plan.platform,
    plan: plan.hash,
    namespace,
    workflow: name,
    waitsFor: waitsFor ? `${waitsFor.namespace}/${waitsFor.name}` : null,
  };
  if (options.detach) {
    await output.result(submitted);
    return EXIT.ok;
  }
  output.note(submittedText(submitted));
  return await follow(context, plan, target, { namespace, name, where: submission.where });
}

/** Throws what a submission would be refused for. */
export async function checkWorkflow(
  io: Io,
  planned: Planned,
  target: Cluster,
  options: Options,
): Promise<void> {
  const { checkSubmission } = await import('../../engines/argo-workflows/submit.ts');
  const { plan } = planned;
  const wait = options.wait ?? false;
  await checkSubmission({ ...compileOptions(io, planned, options), plan, target, wait });
}

/** Whether a Workflow runs the plan, rather than this process. `approved`: for a teardown. */
export async function isByWorkflow(
  { engine }: Pick<WorkflowOptions, 'engine'>,
  { compiled }: Pick<Planned, 'compiled'>,
  target: Pick<Cluster, 'workflows'>,
  approved?: Pick<Inventory, 'clusters' | 'applications'>,
): Promise<boolean> {
  if (approved && needsContexts(approved)) return isWithoutKubeconfig(engine);
  if (engine !== 'auto') return engine === 'argo-workflows';
  const { workflowsNamespace } = compiled.platform;
  return (await target.workflows.list(workflowsNamespace, new Map())) !== undefined;
}

/** Also if a context showed that a destination is Argo CD's own cluster: pods cannot find that out. */
function needsContexts({ clusters, applications }: Pick<Inventory, 'clusters' | 'applications'>) {
  return clusters !== undefined || applications.some(({ cluster }) => cluster !== undefined);
}

/** Other clusters are accessed with contexts of a kubeconfig, which pods do not have. */
function isWithoutKubeconfig(engine: WorkflowOptions['engine']): false {
  if (engine !== 'argo-workflows') return false;
  const message =
    "A Workflow cannot clean up other clusters, or Argo CD's own cluster under another name: its pods have no kubeconfig contexts.";
  const hint = 'Use --engine embedded, or remove `destinations` from the environment file.';
  throw usageError(message, hint);
}

export interface Followed {
  readonly namespace: string;
  readonly name: string;
  readonly where?: Where | undefined;
}

/** Until the Workflow ends or the user stops following. */
export async function follow(
  context: ActionContext,
  plan: Plan,
  target: Cluster,
  { namespace, name, where }: Followed,
): Promise<ExitStatus> {
  const { followWorkflow } = await import('../../engines/argo-workflows/follow.ts');
  const { clock } = context.io;
  const goesOn = `the Workflow ${namespace}/${name} is still running; follow it with \`tiphys status --watch\`, stop it with \`tiphys stop\``;
  const shown = await shownPlan(context.io, plan, target);
  return await followUntilEnough(context, shown, goesOn, async (listen, signal) => {
    const followed = { plan, target, clock, namespace, name, listen, signal };
    return { ...(await followWorkflow(followed)), where };
  });
}

/** To stop following does not stop the run: `goesOn` says so. */
export async function followUntilEnough(
  { io, output }: ActionContext,
  plan: ShownPlan,
  goesOn: string,
  followed: (listen: RunOutput['event'], signal: AbortSignal) => Promise<Report>,
): Promise<ExitStatus> {
  const enough = new AbortController();
  const forget = io.onSignal(() => enough.abort());
  try {
    return await tellRun(output, plan, (listen) => followed(listen, enough.signal));
  } catch (error) {
    if (!enough.signal.aborted || !(error instanceof TiphysError)) throw error;
    output.warn(goesOn);
    return EXIT.partial;
  } finally {
    forget();
  }
}
