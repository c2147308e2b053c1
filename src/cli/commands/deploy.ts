// tiphys deploy: brings the platform up.
import type { Command } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import type { Platform } from '../../model/platform.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Context, createCommand, outputOption, scopeOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { type Planned, type PlanningOptions, planFor } from '../input/planning.ts';
import { chartsOption, imageSourceOption, secretsOption } from '../options/preflight-options.ts';
import {
  checkEngine,
  concurrencyOption,
  modeOption,
  type RunOptions,
  timeoutOption,
  type WorkflowOptions,
  withWorkflow,
} from '../options/run-options.ts';
import type { ActionContext, Output } from '../output/output.ts';
import { stopSignals } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions, RunOptions, WorkflowOptions {
  readonly dryRun?: boolean;
  readonly bootstrap?: boolean;
  readonly charts?: string;
  readonly secrets?: string;
  readonly imageSource?: readonly string[];
}

export function deployCommand(context: Context): Command {
  const command = createCommand({
    name: 'deploy',
    readsFiles: true,
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
      [EXIT.partial]: 'some Healthy, some not; interrupted; hold lost',
      [EXIT.timeout]: "the run's time was up",
    },
  })
    .addOption(scopeOption())
    .option('--with-dependencies', 'take along what the scope depends on')
    .option('--dry-run', 'say what would be done against the live cluster; write nothing')
    .addOption(concurrencyOption())
    .addOption(timeoutOption())
    .addOption(modeOption())
    .option('--bootstrap', 'where the cluster is not bootstrapped, do that first')
    .addOption(chartsOption())
    .addOption(secretsOption())
    .addOption(imageSourceOption())
    .option('--quiet', 'no progress')
    .addOption(outputOption(['text', 'json']));
  return withConnection(withWorkflow(command)).action((options: Options) =>
    deployAction(context, options),
  );
}

export async function deployAction(context: Context, options: Options): Promise<void> {
  const { io, finish } = context;
  checkEngine(options);
  const planned = await planFor(io, 'deploy', options);
  const output = await context.output(options);
  let hasBegun = false;
  try {
    const begin = () => {
      hasBegun = true;
    };
    return finish(await deployPlanned({ io, output }, planned, options, begin));
  } catch (cause) {
    if (hasBegun) throw cause;
    const { bootstrapFirst } = await import('../bootstrap/bootstrap-first.ts');
    const exitStatus = await bootstrapFirst({ io, output }, planned, options, cause);
    if (exitStatus !== EXIT.ok) return finish(exitStatus);
  }
  finish(await deployPlanned({ io, output }, planned, options));
}

async function deployPlanned(
  context: ActionContext,
  planned: Planned,
  options: Options,
  begin = () => {},
): Promise<ExitStatus> {
  const { io, output } = context;
  const { compiled, plan, whole } = planned;
  const target = await connectTo(io, options, compiled.platform.argocdNamespace, output.warn);
  const concurrency = options.concurrency ?? plan.concurrency;
  await warnOfUncovered(output, compiled.platform, target);
  const [{ deploy }, { requireHealthy }, { dryRun }] = await Promise.all([
    import('../../engines/embedded/run-deploy.ts'),
    import('../../engines/inspect/required-gates.ts'),
    import('../../engines/inspect/dry-run.ts'),
  ]);
  if (options.dryRun) {
    await output.result(await dryRun(plan, target, io.clock));
    return EXIT.ok;
  }
  if (options.engine !== 'embedded') {
    const { isByWorkflow, runAsWorkflow } = await import('../run/run-workflow.ts');
    if (await isByWorkflow(options, planned, target)) {
      const { timeout: runTimeout = plan.runTimeout, mode } = options;
      const submitted = { ...plan, concurrency, runTimeout };
      const submission = { planned, plan: submitted, target, keepHold: mode === 'gated' };
      return await runAsWorkflow(context, submission, options);
    }
  }
  const signals = stopSignals(io);
  const printer = await output.forRun(plan);
  try {
    const required = await requireHealthy(plan, whole, {
      target,
      clock: io.clock,
      signal: signals.stop,
      concurrency,
    });
    const report = await deploy({
      plan: { ...plan, runTimeout: options.timeout ?? plan.runTimeout },
      required,
      target,
      clock: io.clock,
      runId: io.randomId(),
      holder: `${io.processName()}/${io.randomId()}`,
      listen: (event) => {
        begin();
        printer.event(event);
      },
      concurrency,
      keepHold: options.mode === 'gated',
      stop: signals.stop,
      leave: signals.leave,
    });
    printer.report(report);
    return report.exitStatus as ExitStatus;
  } finally {
    printer.close();
    signals.close();
  }
}

/** A gate is as good as the health behind it. Whoever cannot look is told so, and goes on. */
async function warnOfUncovered(output: Output, platform: Platform, target: Cluster): Promise<void> {
  const { uncoveredWarning } = await import('../../health/live.ts');
  const warning = await uncoveredWarning(platform, target).catch((error: unknown) => {
    if (!(error instanceof TiphysError)) throw error;
    return `it cannot be told which kinds have a health: ${error.message}`;
  });
  if (warning !== undefined) output.warn(warning);
}
