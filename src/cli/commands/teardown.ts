// tiphys teardown: takes the platform down, in reverse order, as somebody approved it.
import type { Command } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Context, createCommand, outputOption, scopeOption } from '../command.ts';
import {
  type ConfirmOptions,
  confirmed,
  parseConfirmation,
  withConfirmation,
} from '../input/confirmation.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { type Planned, type PlanningOptions, planFor, scopeless } from '../input/planning.ts';
import {
  type PolicyOptions,
  policyOf,
  STUCK_AFTER_SECONDS,
  withPolicy,
} from '../options/policy-options.ts';
import {
  checkEngine,
  concurrencyOption,
  durationOption,
  timeoutOption,
  type WorkflowOptions,
  withWorkflow,
} from '../options/run-options.ts';
import type { ActionContext } from '../output/output.ts';
import { type StopSignals, stopSignals } from '../run/signals.ts';

interface Options
  extends PlanningOptions,
    ConnectionOptions,
    PolicyOptions,
    ConfirmOptions,
    WorkflowOptions {
  readonly withDependents?: boolean;
  readonly primitives?: boolean;
  readonly dryRun?: boolean;
  readonly concurrency?: number;
  readonly timeout?: number;
  readonly stuckAfter: number;
  readonly quiet?: boolean;
  readonly output: 'text' | 'json';
}

export function teardownCommand(context: Context): Command {
  const command = createCommand({
    name: 'teardown',
    readsFiles: true,
    description:
      'Take the platform down: each application after all that depend on it, waiting until nothing of it is left. Deletes nothing but what an inventory of the cluster names and somebody approved. Run again, it goes on where it stopped.',
    examples: [
      ['tiphys plan teardown --inventory', 'first: what would go, what stays, what may hang'],
      ['tiphys teardown --confirm shop --expect sha256:...', 'exactly that, and nothing else'],
      ['tiphys teardown', 'at a terminal: shows the inventory and asks'],
      ['tiphys teardown --scope stack:data --with-dependents', 'a stack and all that needs it'],
      ['tiphys teardown --primitives', 'at last: Argo CD and what else bootstrap installed'],
    ],
    statuses: {
      [EXIT.ok]: 'clean, or nothing to do',
      [EXIT.failure]: 'not reachable, not accepted, refused, not as it was approved',
      [EXIT.partial]: 'something is left; interrupted; hold lost',
      [EXIT.timeout]: "the run's time was up",
    },
  })
    .addOption(scopeOption())
    .option('--with-dependents', 'take along what depends on the scope')
    .option('--primitives', 'take away what bootstrap installed, once the platform is gone')
    .option('--dry-run', 'show the inventory; delete nothing');
  withPolicy(withConfirmation(command))
    .addOption(
      durationOption('--stuck-after <duration>', 'nothing changes for so long: it hangs').default(
        STUCK_AFTER_SECONDS,
        '5m',
      ),
    )
    .addOption(concurrencyOption())
    .addOption(timeoutOption())
    .option('--quiet', 'no progress')
    .addOption(outputOption(['text', 'json']));
  return withConnection(withWorkflow(command)).action((options: Options) =>
    teardownAction(context, options),
  );
}

async function teardownAction(context: Context, options: Options): Promise<void> {
  if (options.primitives) {
    const { teardownPrimitives } = await import('../bootstrap/teardown-primitives.ts');
    const output = await context.output(options);
    return context.finish(await teardownPrimitives({ io: context.io, output }, options));
  }
  checkEngine(options);
  const { io, finish } = context;
  const output = await context.output(options);
  const withDependencies = options.withDependents;
  if (withDependencies && !options.scope) throw scopeless('teardown');
  const planned = await planFor(io, 'teardown', { ...options, withDependencies });
  const said = await parseConfirmation(io, planned.plan, options);
  const target = await connectTo(
    io,
    options,
    planned.compiled.platform.argocdNamespace,
    output.warn,
  );
  const signals = stopSignals(io);
  try {
    const now = await look(io, planned, target, options, signals);
    if (options.dryRun) {
      await output.result(now);
      return finish(now.refusals.length > 0 ? EXIT.partial : EXIT.ok);
    }
    const approved = await confirmed(io, now, said, target.store);
    if (!approved) {
      const { platform } = now;
      await output.result({ apiVersion: API_VERSION, kind: 'NothingToDo', platform });
      return finish(EXIT.ok);
    }
    const run = { planned, target, approved, options, signals };
    finish(await carryOut({ io, output }, run));
  } finally {
    signals.close();
  }
}

type Io = Context['io'];

async function look(
  io: Io,
  { plan, whole }: Planned,
  target: Cluster,
  options: Options,
  { stop }: StopSignals,
): Promise<Inventory> {
  const { takeInventory } = await import('../../engines/teardown/take-inventory.ts');
  return await takeInventory({
    plan,
    whole,
    target,
    clock: io.clock,
    policy: policyOf(options),
    concurrency: plan.concurrency,
    signal: stop,
  });
}

interface Approved {
  readonly planned: Planned;
  readonly target: Cluster;
  readonly approved: Inventory;
  readonly options: Options;
  readonly signals: StopSignals;
}

async function carryOut(context: ActionContext, run: Approved): Promise<ExitStatus> {
  const { planned, target, approved, options } = run;
  if (options.engine !== 'embedded') {
    const { isByWorkflow } = await import('../run/run-workflow.ts');
    if (await isByWorkflow(options, planned, target)) return await submit(context, run);
  }
  const { teardownPreflight } = await import('../../engines/teardown/teardown-preflight.ts');
  await teardownPreflight(planned.plan, approved, target);
  return await carryOutHere(context, run);
}

async function carryOutHere({ io, output }: ActionContext, run: Approved): Promise<ExitStatus> {
  const { planned, target, approved, options, signals } = run;
  const { compiled, plan, whole } = planned;
  const [{ teardown }, { buildPlan }] = await Promise.all([
    import('../../engines/embedded/run-teardown.ts'),
    import('../../plan/build-plan.ts'),
  ]);
  const printer = await output.forRun(plan);
  try {
    const report = await teardown({
      plan: { ...plan, runTimeout: options.timeout ?? plan.runTimeout },
      whole,
      approved,
      target,
      clock: io.clock,
      listen: printer.event,
      deployment: buildPlan(compiled, { action: 'deploy' }),
      runId: io.randomId(),
      holder: `${io.processName()}/${io.randomId()}`,
      concurrency: options.concurrency ?? plan.concurrency,
      stuckAfter: options.stuckAfter,
      unsafe: new Set(options.unsafeRemoveFinalizers),
      stop: signals.stop,
      leave: signals.leave,
    });
    printer.report(report);
    return report.exitStatus as ExitStatus;
  } finally {
    printer.close();
  }
}

/** The confirmation stays here; the Workflow gets what was approved, and looks at the cluster again before it begins. */
async function submit(context: ActionContext, run: Approved): Promise<ExitStatus> {
  const { planned, target, approved, options, signals } = run;
  const [{ runAsWorkflow }, { withUnexpected }] = await Promise.all([
    import('../run/run-workflow.ts'),
    import('../../engines/unexpected.ts'),
  ]);
  // From here on Ctrl-C ends the following, and not the teardown.
  signals.close();
  const plan = withUnexpected(planned.plan, approved.unexpected);
  const { concurrency = plan.concurrency, timeout: runTimeout = plan.runTimeout } = options;
  return await runAsWorkflow(
    context,
    {
      planned,
      target,
      plan: { ...plan, concurrency, runTimeout },
      teardown: { approved, arguments: podArguments(approved, options) },
    },
    { ...options, withDependencies: options.withDependents },
  );
}

/** How the Workflow's pods are told what was asked for. */
function podArguments({ hash }: Inventory, options: Options): string[] {
  const { volumes, crds, keepNamespaces, includeUnexpected } = policyOf(options);
  const unsafe = options.unsafeRemoveFinalizers ?? [];
  return [
    ...['--inventory', hash, '--volumes', volumes, '--stuck-after', String(options.stuckAfter)],
    ...(crds ? ['--crds'] : []),
    ...(keepNamespaces ? ['--keep-namespaces'] : []),
    ...(includeUnexpected ? ['--include-unexpected'] : []),
    ...unsafe.flatMap((name) => ['--unsafe-remove-finalizers', name]),
  ];
}
