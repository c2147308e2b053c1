// tiphys status --watch: the Workflow that runs, to its report. Where it has ended before, the report of what ran last: whoever
// submits and comes back later must not take a failure for a success.
import { ACTION } from '../../engines/argo-workflows/compile-workflow.ts';
import { runningWorkflow } from '../../engines/argo-workflows/find-workflows.ts';
import { lastRun } from '../../engines/argo-workflows/run-of.ts';
import { type ExitStatus, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import type { Action, Plan } from '../../plan/plan.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { reportOfRecord } from '../../report/run-report.ts';
import { RunFold, sinceItStarted } from '../../run/run-state.ts';
import { type RunSummary, readRun } from '../../session/record/history.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { ActionContext } from '../output/output.ts';
import { follow } from './run-workflow.ts';

interface Watched {
  readonly platform: Platform;
  /** Of a deployment of all of it. */
  readonly plan: Plan;
  readonly target: Cluster;
}

export async function watchRun(
  context: ActionContext,
  watched: Watched,
  options: FileOptions,
): Promise<ExitStatus> {
  const { platform, target } = watched;
  const running = await runningWorkflow(platform, target);
  if (running) return await followOne(context, watched, running, options);
  const last = await lastRun(platform, target);
  if (!last) throw nothing(platform.name);
  const note = (what: string) =>
    context.output.note(`no Workflow runs this platform; this is the last ${what}`);
  if ('recorded' in last) {
    const { run, started } = last.recorded;
    note(`run, ${run} of ${started}`);
    return await showRecorded(context, watched, last.recorded, options);
  }
  const { namespace, name, createdAt } = last.workflow;
  note(`one, ${namespace}/${name} of ${createdAt}`);
  return await followOne(context, watched, last.workflow, options);
}

async function followOne(
  context: ActionContext,
  { plan, target }: Watched,
  { namespace, name, annotations }: WorkflowView,
  options: FileOptions,
): Promise<ExitStatus> {
  const action = annotations.get(ACTION) === 'teardown' ? 'teardown' : 'deploy';
  const followed = await planOf(context, plan, action, options);
  return await follow(context, followed, target, { namespace, name });
}

async function planOf({ io }: ActionContext, plan: Plan, action: Action, options: FileOptions) {
  return action === plan.action ? plan : (await planFor(io, action, options)).plan;
}

async function showRecorded(
  context: ActionContext,
  { platform, plan, target }: Watched,
  { run, started }: RunSummary,
  options: FileOptions,
): Promise<ExitStatus> {
  const history = await readRun(target.store, platform.name, run);
  const fold = new RunFold();
  for (const event of sinceItStarted(history?.events ?? [])) fold.add(event);
  const { state } = fold;
  if (!state.finished) throw unfinished(run, started);
  const shown = await planOf(context, plan, state.started?.action ?? 'deploy', options);
  const report = reportOfRecord(shown, state);
  await context.output.result(report);
  return report.exitStatus as ExitStatus;
}

function nothing(platform: string): TiphysError {
  const message = `No Workflow runs platform ${quote(platform)}, and the cluster remembers no run of it.`;
  return new TiphysError([{ code: 'run-unknown', message, hint: 'Begin one: `tiphys deploy`.' }]);
}

function unfinished(run: string, started: string): TiphysError {
  const message = `Run ${quote(run)} of ${started}, the last one, has come to no report: it was killed, or it is the embedded engine's and goes on.`;
  const hint = 'See `tiphys status`. The same command as before goes on with it.';
  return new TiphysError([{ code: 'run-unfinished', message, hint }]);
}
