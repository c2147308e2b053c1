// tiphys deploy: brings the platform up.
import { Option } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
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
import { type ActionContext, tellRun } from '../output/output.ts';
import { runTimeNotice } from '../run/run-time-notice.ts';
import { untilStopped } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions, RunOptions, WorkflowOptions {
  readonly dryRun?: boolean;
  readonly bootstrap?: boolean;
  readonly charts?: string;
  readonly secrets?: string;
  readonly imageSource?: readonly string[];
}

export const deployCommand: CommandSpec = {
  name: 'deploy',
  description:
    'Bring the platform up on a cluster with Argo CD: in order, each gate opened on proof of health. Run again, it goes on where it stopped; what is Healthy stays untouched.',
  examples: [
    ['tiphys deploy', 'the whole platform'],
    ['tiphys deploy --dry-run', 'say what would be done; write nothing'],
    ['tiphys deploy --scope stack:data', 'one stack; what it depends on must be Healthy'],
    ['tiphys deploy -o json', 'one event a line, and the report as the last one'],
    ['tiphys deploy --engine argo-workflows --detach', 'inside of the cluster, as a Workflow'],
    ['tiphys deploy --bootstrap', 'on an empty cluster, too: `tiphys bootstrap` comes first'],
  ],
  statuses: {
    [EXIT.ok]: 'all Healthy',
    [EXIT.failure]: 'not reachable, not accepted, held by another run, or nothing became Healthy',
    [EXIT.partial]: 'some Healthy, some not; interrupted; hold lost; --strict: order bypassed',
    [EXIT.timeout]: "the run's time was up",
  },
  options: [
    ...FILES,
    SCOPE,
    new Option('--with-dependencies', 'take along what the scope depends on'),
    new Option('--dry-run', 'say what would be done against the live cluster; write nothing'),
    CONCURRENCY,
    TIMEOUT,
    MODE,
    STRICT,
    new Option('--bootstrap', 'where the cluster is not bootstrapped, do that first'),
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

async function deployPlanned(
  context: ActionContext,
  planned: Planned,
  options: Options,
  begin: () => void,
): Promise<ExitStatus> {
  const { io, output } = context;
  const { platform } = planned.compiled;
  const target = await connectTo(io, options, platform, 'deploy', output.warn);
  const { concurrency = planned.plan.concurrency } = options;
  // A gate is as good as the health behind it. Whoever cannot look is told so, and goes on.
  const { uncoveredWarning } = await import('../../health/live.ts');
  const warning = await uncoveredWarning(platform, target).catch((error: unknown) => {
    if (!(error instanceof TiphysError)) throw error;
    return `it cannot be told which kinds have a health: ${error.message}`;
  });
  if (warning !== undefined) output.warn(warning);
  if (options.dryRun) {
    const { dryRun } = await import('../../engines/inspect/dry-run.ts');
    const look = ({ stop }: { readonly stop: AbortSignal }) => {
      const parts = { target, clock: io.clock, signal: stop, concurrency };
      return dryRun(planned.plan, planned.whole, parts);
    };
    await output.result(await untilStopped(io, look, { reads: true }));
    return EXIT.ok;
  }
  const { timeout: runTimeout } = options;
  const plan = { ...planned.plan, runTimeout: runTimeout ?? planned.plan.runTimeout };
  const { strict = false, mode } = options;
  const keepHold = mode === 'gated';
  const warnOfTime = async (byWorkflow: boolean) => {
    const byOption = runTimeout !== undefined;
    const notice = await runTimeNotice(plan, { concurrency, byWorkflow, byOption });
    if (notice !== undefined) output.warn(notice);
  };
  if (options.engine !== 'embedded') {
    const { isByWorkflow, runAsWorkflow } = await import('../run/run-workflow.ts');
    if (await isByWorkflow(options, planned, target)) {
      await warnOfTime(true);
      const submission = { planned, plan: { ...plan, concurrency }, target, keepHold, strict };
      return await runAsWorkflow(context, submission, options);
    }
  }
  await warnOfTime(false);
  const { deploy } = await import('../../engines/embedded/run-deploy.ts');
  const { requireHealthy } = await import('../../engines/inspect/required-gates.ts');
  const { startedBy } = await import('../../session/started-by.ts');
  const { clock, trigger = CLI } = io;
  return await untilStopped(io, ({ stop, abort }) =>
    tellRun(output, plan, async (listen) => {
      const looking = { target, clock, signal: stop, concurrency };
      const [required, starter] = await Promise.all([
        requireHealthy(plan, planned.whole, looking),
        startedBy(target, trigger),
      ]);
      return await deploy({
        plan,
        required,
        startedBy: starter,
        target,
        clock,
        runId: io.randomId(),
        holder: `${io.processName()}/${io.randomId()}`,
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
    }),
  );
}
