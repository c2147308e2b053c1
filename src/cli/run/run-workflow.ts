// --engine argo-workflows: submits a plan and follows it. Whoever stops following does not stop it.
import type { CompileOptions } from '../../engines/argo-workflows/compile-workflow.ts';
import { EXIT, type ExitStatus, TiphysError, usageError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Cluster } from '../../ports/target.ts';
import { CLI } from '../../run/started-by.ts';
import { submittedText } from '../../view/result-text.ts';
import type { Planned, PlanningOptions } from '../input/planning.ts';
import type { WorkflowOptions } from '../options/run-options.ts';
import { type ActionContext, type Submitted, tellRun } from '../output/output.ts';
import { compileOptions } from './plan-workflow.ts';

type Options = PlanningOptions & WorkflowOptions;

/** What is to be done, and with what in the place of the plan's own settings. */
export interface Submission extends Pick<CompileOptions, 'teardown' | 'keepHold' | 'strict'> {
  readonly planned: Planned;
  readonly plan: Plan;
  readonly target: Cluster;
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
  const compile = compileOptions(io, planned, options);
  const { startedBy } = await import('../../session/started-by.ts');
  const { user: submittedBy } = await startedBy(target, io.trigger ?? CLI);
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
  return await follow(context, plan, target, { namespace, name });
}

/** Whether a Workflow is meant, and not this process. `approved`: of a teardown. */
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

/** Also where a context showed that a destination is Argo CD's own cluster: without it, nobody can tell. */
function needsContexts({ clusters, applications }: Pick<Inventory, 'clusters' | 'applications'>) {
  return clusters !== undefined || applications.some(({ cluster }) => cluster !== undefined);
}

/** Other clusters are reached by contexts of a kubeconfig, which nobody hands to pods. */
function isWithoutKubeconfig(engine: WorkflowOptions['engine']): false {
  if (engine !== 'argo-workflows') return false;
  const message =
    "A Workflow cannot clean up other clusters, or Argo CD's own by another name: its pods have no contexts of the kubeconfig.";
  const hint = 'Use --engine embedded, or plan without destinations in the environment file.';
  throw usageError(message, hint);
}

export interface Followed {
  readonly namespace: string;
  readonly name: string;
}

/** To its end, or until somebody has seen enough. */
export async function follow(
  { io, output }: ActionContext,
  plan: Plan,
  target: Cluster,
  { namespace, name }: Followed,
): Promise<ExitStatus> {
  const { followWorkflow } = await import('../../engines/argo-workflows/follow.ts');
  const enough = new AbortController();
  const forget = io.onSignal(() => enough.abort());
  const { signal } = enough;
  try {
    return await tellRun(output, plan, (listen) =>
      followWorkflow({ plan, target, clock: io.clock, namespace, name, listen, signal }),
    );
  } catch (error) {
    if (!enough.signal.aborted || !(error instanceof TiphysError)) throw error;
    output.warn(
      `the Workflow ${namespace}/${name} goes on; follow it with \`tiphys status --watch\`, end it with \`tiphys stop\``,
    );
    return EXIT.partial;
  } finally {
    forget();
  }
}
