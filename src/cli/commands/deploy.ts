// tiphys deploy: deploys the platform.
import { Option } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Where } from '../../report/where.ts';
import { CLI } from '../../run/started-by.ts';
import { type CommandSpec, type Context, FILES, outputOption, QUIET, SCOPE } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { type Planned, type PlanningOptions, planFor } from '../input/planning.ts';
import { CHARTS, IMAGE_SOURCE, SECRETS } from '../options/preflight-options.ts';
import {
  CONCURRENCY,
  checkEngine,
  MODE,
  type RunOptions,
  STRICT,
  TIMEOUT,
  WORKFLOW,
  type WorkflowOptions,
} from '../options/run-options.ts';
import { noteWait } from '../output/note-wait.ts';
import { noteWhere } from '../output/note-where.ts';
import { type ActionContext, tellRun } from '../output/output.ts';
import { runTimeNotice } from '../run/run-time-notice.ts';
import { type StopSignals, untilStopped } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions, RunOptions, WorkflowOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly bootstrap?: boolean;
  readonly charts?: string;
  readonly secrets?: string;
  readonly imageSource?: readonly string[];
}

export const deployCommand: CommandSpec = {
  name: 'deploy',
  description:
    'Deploy the platform in dependency order: an application starts when everything that it depends on is proven healthy. Rerun the command to resume; healthy applications are not touched.',
  examples: [
    ['tiphys deploy', 'deploy the whole platform'],
    ['tiphys deploy --yes', 'deploy without confirmation'],
    ['tiphys deploy --dry-run', 'show what would be done; change nothing'],
    ['tiphys deploy --scope stack:data', 'deploy one stack; its dependencies must be healthy'],
    ['tiphys deploy -o json', 'print one event per line; the last line is the report'],
    ['tiphys deploy --engine argo-workflows --detach', 'run inside the cluster, as a Workflow'],
    ['tiphys deploy --bootstrap', 'bootstrap the cluster first if needed'],
  ],
  statuses: {
    [EXIT.ok]: 'all applications are healthy',
    [EXIT.failure]:
      'cluster or Argo CD not reachable or access denied, another run is active, or no application is healthy',
    [EXIT.partial]:
      'some applications are not healthy; interrupted; hold lost; --strict: order bypassed',
    [EXIT.timeout]: 'the run timed out',
  },
  options: [
    ...FILES,
    SCOPE,
    new Option('--with-dependencies', 'also deploy the dependencies of the scope'),
    new Option(
      '--dry-run',
      'compare with the live cluster and show what would be done; change nothing',
    ),
    new Option(
      '-y, --yes',
      'skip the confirmation; it is only asked for if stdin and stderr are terminals, so pipelines run without it',
    ),
    CONCURRENCY,
    TIMEOUT,
    MODE,
    STRICT,
    new Option('--bootstrap', 'bootstrap the cluster first if needed'),
    CHARTS,
    SECRETS,
    IMAGE_SOURCE,
    QUIET,
    outputOption('text', 'json'),
    ...WORKFLOW,
    ...CONNECTION,
  ],
  action: deployAction,
};

export async function deployAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  checkEngine(options);
  const planned = await planFor(io, 'deploy', options);
  const output = await context.output(options);
  let hasBegun = false;
  const begin = () => {
    hasBegun = true;
  };
  try {
    return await deployPlanned({ io, output }, planned, options, begin);
  } catch (cause) {
    if (hasBegun) throw cause;
    const { bootstrapFirst } = await import('../bootstrap/bootstrap-first.ts');
    const exitStatus = await bootstrapFirst({ io, output }, planned, options, cause);
    if (exitStatus !== EXIT.ok) return exitStatus;
  }
  return await deployPlanned({ io, output }, planned, options, begin);
}

/** A deployment, and where it goes. */
interface Reached {
  readonly planned: Planned;
  readonly options: Options;
  readonly target: Cluster;
  readonly where: Where | undefined;
  readonly byWorkflow: boolean;
  readonly concurrency: number;
}

async function deployPlanned(
  context: ActionContext,
  planned: Planned,
  options: Options,
  begin: () => void,
): Promise<ExitStatus> {
  const { io, output } = context;
  const { platform } = planned.compiled;
  const target = await connectTo(io, options, platform, 'deploy', output.warn);
  const { findWhere } = await import('../../engines/inspect/find-where.ts');
  const { isByWorkflow } = await import('../run/run-workflow.ts');
  const where = await findWhere(platform, target, options.defaults);
  const byWorkflow =
    options.engine !== 'embedded' && (await isByWorkflow(options, planned, target));
  const { concurrency = planned.plan.concurrency } = options;
  const reached = { planned, options, target, where, byWorkflow, concurrency };
  if (!options.dryRun) await noteWhere(output, platform.name, where);
  await warnOfKinds(context, reached);
  if (options.dryRun) return await showDryRun(context, reached);
  // Without a terminal there is no one to answer: a pipeline continues.
  if (!options.yes && io.screen()) {
    const { askToDeploy } = await import('../run/ask-to-deploy.ts');
    await askToDeploy(io, { ...planned, look: lookOf(reached), where });
  }
  return await carryOut(context, reached, begin);
}

/** A gate is as good as the health checks behind it. Without permission to read them, warn and continue. */
async function warnOfKinds({ output }: ActionContext, { planned, target }: Reached): Promise<void> {
  const { uncoveredWarning } = await import('../../health/kinds-in-use.ts');
  const { platform } = planned.compiled;
  const warning = await uncoveredWarning(platform, target).catch((error: unknown) => {
    if (!(error instanceof TiphysError)) throw error;
    return `cannot check which kinds have a health check: ${error.message}`;
  });
  if (warning !== undefined) output.warn(warning);
}

const lookOf = ({ planned, options, target, byWorkflow, concurrency }: Reached) => {
  const { clusterName } = planned.compiled.platform;
  return { target, concurrency, clusterName, waits: byWorkflow && options.wait };
};

async function showDryRun({ io, output }: ActionContext, reached: Reached): Promise<ExitStatus> {
  const { planned, options, target, where, byWorkflow } = reached;
  const { dryRun } = await import('../../engines/inspect/dry-run.ts');
  const look = ({ stop: signal }: StopSignals) =>
    dryRun(planned.plan, planned.whole, { ...lookOf(reached), clock: io.clock, signal });
  const found = await untilStopped(io, look, { reads: true }).catch(async (error: unknown) => {
    // The result would begin with it.
    await noteWhere(output, planned.plan.platform, where);
    throw error;
  });
  const { checkWorkflow } = await import('../run/run-workflow.ts');
  if (byWorkflow) await checkWorkflow(io, planned, target, options);
  await output.result({ ...found, where });
  return EXIT.ok;
}

async function carryOut(
  context: ActionContext,
  reached: Reached,
  begin: () => void,
): Promise<ExitStatus> {
  const { io, output } = context;
  const { planned, options, target, where, byWorkflow, concurrency } = reached;
  const { timeout: runTimeout, strict = false, mode } = options;
  const plan = { ...planned.plan, runTimeout: runTimeout ?? planned.plan.runTimeout };
  const keepHold = mode === 'gated';
  const byOption = runTimeout !== undefined;
  const notice = await runTimeNotice(plan, { concurrency, byWorkflow, byOption });
  if (notice !== undefined) output.warn(notice);
  if (byWorkflow) {
    const { runAsWorkflow } = await import('../run/run-workflow.ts');
    const own = { plan: { ...plan, concurrency }, target, where };
    return await runAsWorkflow(context, { planned, ...own, keepHold, strict }, options);
  }
  const { deploy } = await import('../../engines/embedded/run-deploy.ts');
  const { requireHealthy } = await import('../../engines/inspect/required-gates.ts');
  const { startedBy } = await import('../../session/started-by.ts');
  const { shownPlan } = await import('../run/shown-plan.ts');
  const { clock, trigger = CLI } = io;
  const shown = await shownPlan(io, plan, target);
  const run = ({ stop, abort }: StopSignals) =>
    tellRun(output, shown, async (listen) => {
      const looking = { target, clock, signal: stop, concurrency };
      const [required, starter] = await Promise.all([
        requireHealthy(plan, planned.whole, looking),
        startedBy(target, trigger, clock),
      ]);
      const report = await deploy({
        plan,
        clusterName: planned.compiled.platform.clusterName,
        required,
        startedBy: starter,
        target,
        clock,
        runId: io.randomId(),
        holder: `${io.processName()}/${io.randomId()}`,
        onWait: noteWait(output),
        listen: (event) => {
          begin();
          listen(event);
        },
        concurrency,
        keepHold,
        strict,
        stop,
        abort,
      });
      return { ...report, where };
    });
  return await untilStopped(io, run, { notice: output.notice });
}
