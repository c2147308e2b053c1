// --engine argo-workflows: submits a plan and follows it. Whoever stops following does not stop it.
import type { CompileOptions } from '../../engines/argo-workflows/compile-workflow.ts';
import { EXIT, TiphysError } from '../../errors.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Target } from '../../ports/target.ts';
import { renderJsonLine, renderLines } from '../../view/lines.ts';
import type { Context } from '../command.ts';
import type { Planned, PlanningOptions } from '../input/planning.ts';
import type { WorkflowOptions } from '../options/run-options.ts';
import { compileOptions } from './plan-workflow.ts';
import { createPrinter } from './printer.ts';

interface Options extends PlanningOptions, WorkflowOptions {
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
}

/** What is to be done, and with what in the place of the plan's own settings. */
export interface Submission extends Pick<CompileOptions, 'teardown' | 'keepHold'> {
  readonly planned: Planned;
  readonly plan: Plan;
  readonly target: Target;
}

/** What `--detach -o json` gives. */
export interface Submitted {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Submitted';
  readonly platform: string;
  /** Its hash. */
  readonly plan: string;
  readonly namespace: string;
  readonly workflow: string;
  /** NAMESPACE/NAME of the one that is not over. */
  readonly waitsFor: string | null;
}

const SUFFIX = 5;

export async function runAsWorkflow(
  context: Context,
  submission: Submission,
  options: Options,
): Promise<void> {
  const { io, finish } = context;
  const { submitPlan } = await import('../../engines/argo-workflows/submit.ts');
  const { planned, plan, target, teardown, keepHold = false } = submission;
  const compile = compileOptions(io, planned, options);
  const { namespace } = compile;
  const { name, waitsFor } = await submitPlan({
    ...{ ...compile, plan, target, wait: options.wait ?? false, keepHold },
    ...(teardown && { teardown }),
    suffix: io.randomId().slice(0, SUFFIX),
  });
  const other = waitsFor && `${waitsFor.namespace}/${waitsFor.name}`;
  const text = `submitted ${namespace}/${name}${other ? `, which waits for ${other}` : ''}`;
  if (options.detach) {
    const said: Submitted = {
      ...{ apiVersion: API_VERSION, kind: 'Submitted', platform: plan.platform, plan: plan.hash },
      ...{ namespace, workflow: name, waitsFor: other ?? null },
    };
    const how = 'follow it with `tiphys status --watch`, end it with `tiphys stop`';
    io.stdout(options.output === 'json' ? renderJsonLine(said) : renderLines([`${text}; ${how}`]));
    return finish(EXIT.ok);
  }
  if (!options.quiet && options.output === 'text') io.stderr(renderLines([text]));
  await follow(context, plan, target, { ...options, namespace, name });
}

/** Whether a Workflow is meant, and not this process. */
export async function isByWorkflow(
  { engine }: WorkflowOptions,
  { compiled }: Planned,
  target: Target,
): Promise<boolean> {
  if (engine !== 'auto') return engine === 'argo-workflows';
  const { workflowsNamespace } = compiled.platform;
  return (await target.workflows.list(workflowsNamespace, new Map())) !== undefined;
}

export interface Followed {
  readonly namespace: string;
  readonly name: string;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
}

/** To its end, or until somebody has seen enough. */
export async function follow(
  { io, finish }: Context,
  plan: Plan,
  target: Target,
  options: Followed,
): Promise<void> {
  const { followWorkflow } = await import('../../engines/argo-workflows/follow.ts');
  const { namespace, name } = options;
  const printer = await createPrinter(io, plan, options);
  const enough = new AbortController();
  const forget = io.onSignal(() => enough.abort());
  try {
    const report = await followWorkflow({
      ...{ plan, target, clock: io.clock, namespace, name, listen: printer.event },
      signal: enough.signal,
    });
    printer.report(report);
    finish(report.exitStatus as typeof EXIT.ok);
  } catch (error) {
    printer.close();
    if (!enough.signal.aborted || !(error instanceof TiphysError)) throw error;
    io.stderr(
      renderLines([
        `the Workflow ${namespace}/${name} goes on; follow it with \`tiphys status --watch\`, end it with \`tiphys stop\``,
      ]),
    );
    finish(EXIT.partial);
  } finally {
    printer.close();
    forget();
  }
}
