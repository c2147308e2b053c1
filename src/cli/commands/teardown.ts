// tiphys teardown: deletes the platform in reverse order, as approved.
import { Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { Where } from '../../report/where.ts';
import { CLI } from '../../run/started-by.ts';
import { type CommandSpec, type Context, FILES, outputOption, QUIET, SCOPE } from '../command.ts';
import {
  CONFIRMATION,
  type ConfirmOptions,
  confirmed,
  parseConfirmation,
} from '../input/confirmation.ts';
import { CONNECTION, type ConnectionOptions, connectTo, type Opened } from '../input/connection.ts';
import { lookAtCluster } from '../input/inventory.ts';
import { type PlanningOptions, planFor, scopeless } from '../input/planning.ts';
import {
  type PolicyOptions,
  policyOf,
  policyOptions,
  STUCK_AFTER_SECONDS,
} from '../options/policy-options.ts';
import {
  CONCURRENCY,
  checkEngine,
  durationOption,
  TIMEOUT,
  WORKFLOW,
  type WorkflowOptions,
} from '../options/run-options.ts';
import { noteWait } from '../output/note-wait.ts';
import { noteWhere } from '../output/note-where.ts';
import { type ActionContext, tellRun } from '../output/output.ts';
import { type StopSignals, untilStopped } from '../run/signals.ts';

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

export const teardownCommand: CommandSpec = {
  name: 'teardown',
  description:
    'Tear down the platform in reverse order: delete each application after its dependents are gone. Only objects in an approved inventory are deleted. Rerun the command to resume.',
  examples: [
    [
      'tiphys plan teardown --inventory',
      'first, show what would be deleted, what is kept and what may get stuck',
    ],
    ['tiphys teardown --confirm shop --expect sha256:...', 'delete exactly that inventory'],
    ['tiphys teardown', 'show the inventory and ask for confirmation (on a terminal)'],
    ['tiphys teardown --scope stack:data --with-dependents', 'delete a stack and its dependents'],
    ['tiphys teardown --primitives', 'last, delete Argo CD and what else bootstrap installed'],
  ],
  statuses: {
    [EXIT.ok]: 'everything deleted, or nothing to do',
    [EXIT.failure]:
      'cluster or Argo CD not reachable or access denied, refused, or not as approved',
    [EXIT.partial]: 'objects remain; interrupted; hold lost',
    [EXIT.timeout]: 'the run timed out',
  },
  options: [
    ...FILES,
    SCOPE,
    new Option('--with-dependents', 'also delete the dependents of the scope'),
    new Option('--primitives', 'delete what bootstrap installed, after the platform is deleted'),
    new Option('--dry-run', 'show the inventory; delete nothing'),
    ...CONFIRMATION,
    ...policyOptions(),
    durationOption(
      '--stuck-after <duration>',
      'treat a deletion as stuck after this long without progress',
    ).default(STUCK_AFTER_SECONDS, '5m'),
    CONCURRENCY,
    TIMEOUT,
    QUIET,
    outputOption('text', 'json'),
    ...WORKFLOW,
    ...CONNECTION,
  ],
  action: teardownAction,
};

async function teardownAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  const output = await context.output(options);
  if (options.primitives) {
    const { teardownPrimitives } = await import('../bootstrap/teardown-primitives.ts');
    return await teardownPrimitives({ io, output }, options);
  }
  checkEngine(options);
  const withDependencies = options.withDependents;
  if (withDependencies && !options.scope) throw scopeless('teardown');
  const planned = await planFor(io, 'teardown', { ...options, withDependencies });
  const said = await parseConfirmation(io, planned.plan, options);
  const { platform } = planned.compiled;
  const target = await connectTo(io, options, platform, 'teardown', output.warn);
  const { requireClusterName } = await import('../../session/cluster-name.ts');
  await requireClusterName(platform.clusterName, target);
  const { findWhere } = await import('../../engines/inspect/find-where.ts');
  const where = await findWhere(platform, target, options.defaults);
  const run = async (signals: StopSignals) => {
    if (!options.dryRun && !said.expected) {
      const { requireInactive } = await import('../../session/lease/outlive.ts');
      const parts = { leases: target.leases, clock: io.clock, signal: signals.stop };
      await requireInactive({ platform: platform.name, ...parts, onWait: noteWait(output) });
    }
    const now = await lookAtCluster(io, planned, target, options, signals.stop);
    if (options.dryRun) {
      await output.result(now);
      return now.refusals.length > 0 ? EXIT.partial : EXIT.ok;
    }
    // Without an approved inventory it stands beside the question.
    if (said.expected) await noteWhere(output, platform.name, where);
    const approved = await confirmed(io, now, { ...said, where }, target.store);
    if (!approved) {
      const { platform: name } = now;
      await output.result({ apiVersion: API_VERSION, kind: 'NothingToDo', platform: name });
      return EXIT.ok;
    }
    const opened = { ...planned, platform, target };
    return await carryOut({ io, output }, { opened, approved, options, signals, where });
  };
  return await untilStopped(io, run, { notice: output.notice });
}

interface Approved {
  readonly opened: Opened;
  readonly approved: Inventory;
  readonly options: Options;
  readonly signals: StopSignals;
  readonly where: Where | undefined;
}

async function carryOut({ io, output }: ActionContext, run: Approved): Promise<ExitStatus> {
  const { opened, approved, options, signals, where } = run;
  const { compiled, plan, whole, target } = opened;
  if (options.engine !== 'embedded') {
    const { isByWorkflow } = await import('../run/run-workflow.ts');
    const isByPods = await isByWorkflow(options, opened, target, approved);
    if (isByPods) return await submit({ io, output }, run);
  }
  const { teardownPreflight } = await import('../../engines/teardown/teardown-preflight.ts');
  await teardownPreflight(plan, approved, target);
  const { teardown } = await import('../../engines/embedded/run-teardown.ts');
  const { buildPlan } = await import('../../plan/build-plan.ts');
  const { startedBy } = await import('../../session/started-by.ts');
  const starter = await startedBy(target, io.trigger ?? CLI, io.clock);
  return await tellRun(output, plan, async (listen) => {
    const report = await teardown({
      plan: { ...plan, runTimeout: options.timeout ?? plan.runTimeout },
      whole,
      approved,
      target,
      clock: io.clock,
      onWait: noteWait(output),
      listen,
      clusterName: opened.platform.clusterName,
      deployment: buildPlan(compiled, { action: 'deploy' }),
      runId: io.randomId(),
      startedBy: starter,
      holder: `${io.processName()}/${io.randomId()}`,
      concurrency: options.concurrency ?? plan.concurrency,
      stuckAfter: options.stuckAfter,
      unsafe: new Set(options.unsafeRemoveFinalizers),
      stop: signals.stop,
      abort: signals.abort,
    });
    return { ...report, where };
  });
}

/** This process confirms; the Workflow gets the approved inventory and compares it with the cluster again before it starts. */
async function submit(context: ActionContext, run: Approved): Promise<ExitStatus> {
  const { opened, approved, options, signals } = run;
  const { runAsWorkflow } = await import('../run/run-workflow.ts');
  const { approvedPlan } = await import('../../engines/teardown/approved-plan.ts');
  // From here on, Ctrl-C stops following the Workflow, not the teardown.
  signals.close();
  const plan = approvedPlan(opened.plan, approved);
  const { concurrency = plan.concurrency, timeout: runTimeout = plan.runTimeout } = options;
  return await runAsWorkflow(
    context,
    {
      planned: opened,
      target: opened.target,
      where: run.where,
      plan: { ...plan, concurrency, runTimeout },
      teardown: { approved, arguments: podArguments(approved, options) },
    },
    { ...options, withDependencies: options.withDependents },
  );
}

/** The options, as arguments of the Workflow's pods. */
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
