// tiphys status --watch: follows the active run of either engine to its report. If none is active, shows the report of the last run: a
// user who submits a Workflow and returns later must not mistake a failure for a success.
import { ACTION } from '../../engines/argo-workflows/compile-workflow.ts';
import { runningWorkflow } from '../../engines/argo-workflows/find-workflows.ts';
import { lastRun } from '../../engines/argo-workflows/run-of.ts';
import { type ActiveRun, activeRun } from '../../engines/inspect/active-run.ts';
import { followRecord } from '../../engines/inspect/follow-record.ts';
import { type ExitStatus, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Platform } from '../../model/platform.ts';
import type { Action, Plan } from '../../plan/plan.ts';
import type { WorkflowView } from '../../ports/argo-workflows.ts';
import type { Cluster } from '../../ports/target.ts';
import { reportOfRecord } from '../../report/run-report.ts';
import { RunFold, sinceItStarted } from '../../run/run-state.ts';
import { leaseName } from '../../session/lease/lease-data.ts';
import { lastOf, listRuns, type RunSummary, readRun } from '../../session/record/history.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { ActionContext } from '../output/output.ts';
import { follow, followUntilEnough } from './run-workflow.ts';
import { shownPlan } from './shown-plan.ts';

interface Watched {
  readonly platform: Platform;
  /** The deployment of the whole platform. */
  readonly plan: Plan;
  readonly target: Cluster;
}

export async function watchRun(
  context: ActionContext,
  watched: Watched,
  options: FileOptions,
): Promise<ExitStatus> {
  const { platform, target } = watched;
  const active = await activeRun(platform.name, target, context.io.clock);
  if (active && !active.isByWorkflow)
    return await followEmbedded(context, watched, active, options);
  const { workflowsNamespace } = platform;
  const areThere = (await target.workflows.list(workflowsNamespace, new Map())) !== undefined;
  const running = areThere ? await runningWorkflow(platform, target) : undefined;
  if (running) return await followOne(context, watched, running, options);
  const last = areThere ? await lastRun(platform, target) : await lastRecorded(platform, target);
  if (!last) throw nothing(platform.name);
  const note = (what: string) => context.output.note(`no run is active; showing the last ${what}`);
  if ('recorded' in last) {
    const { run, started } = last.recorded;
    note(`run, ${run} of ${started}`);
    return await showRecorded(context, watched, last.recorded, options);
  }
  const { namespace, name, createdAt } = last.workflow;
  note(`Workflow, ${namespace}/${name} of ${createdAt}`);
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

async function lastRecorded({ name }: Platform, { store, leases }: Cluster) {
  const recorded = lastOf(await listRuns(store, name), await leases.get(leaseName(name)));
  return recorded && { recorded };
}

/** The action is that of its record; before there is one, it is a deployment. */
async function followEmbedded(
  context: ActionContext,
  { platform, plan, target }: Watched,
  { run, holder }: ActiveRun,
  options: FileOptions,
): Promise<ExitStatus> {
  const { clock } = context.io;
  const begun = (await readRun(target.store, platform.name, run))?.events ?? [];
  const started = sinceItStarted(begun).find((event) => event.type === 'run.started');
  const followed = await planOf(context, plan, started?.action ?? 'deploy', options);
  const goesOn = `run ${run} continues on ${quote(holder)}; Ctrl-C there stops it`;
  const shown = await shownPlan(context.io, followed, target);
  return await followUntilEnough(context, shown, goesOn, (listen, signal) =>
    followRecord({ plan: followed, run, target, clock, listen, signal }),
  );
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
  const message = `No run of platform ${quote(platform)} is active, and no run is recorded.`;
  return new TiphysError([
    { code: 'run-unknown', message, hint: 'Start a run with `tiphys deploy`.' },
  ]);
}

function unfinished(run: string, started: string): TiphysError {
  const message = `The last run, ${quote(run)} of ${started}, has no report: it was killed, or the embedded engine is still running it.`;
  const hint = 'Check `tiphys status`. To resume a killed run, rerun its command.';
  return new TiphysError([{ code: 'run-unfinished', message, hint }]);
}
