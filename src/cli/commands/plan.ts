// tiphys plan: reads files, prints the plan.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus, usageError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { ACTIONS, type Action } from '../../plan/plan.ts';
import type { TimedPlan } from '../../plan/timed-plan.ts';
import { renderJson, renderParts, renderWarning } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption, SCOPE } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { lookAtCluster } from '../input/inventory.ts';
import { type Planned, type PlanningOptions, planFor, scopeless } from '../input/planning.ts';
import { givenPolicy, type PolicyOptions, policyOptions } from '../options/policy-options.ts';
import { imageOption, NODES, requireWith } from '../options/run-options.ts';
import { lookOn } from '../output/look-on.ts';
import { runTimeNotice } from '../run/run-time-notice.ts';
import { untilStopped } from '../run/signals.ts';

const FORMATS = ['table', 'wide', 'json', 'yaml', 'dot', 'mermaid', 'workflow'] as const;

interface Options extends PlanningOptions, ConnectionOptions, PolicyOptions {
  readonly withDependents?: boolean;
  readonly inventory?: boolean;
  readonly measured?: boolean;
  readonly image?: string;
  readonly nodes?: 'agent' | 'pods';
  readonly output: (typeof FORMATS)[number];
}

export const planCommand: CommandSpec = {
  name: 'plan',
  description:
    'Show the plan: what runs, in which order. Reads only files, and with --inventory or --measured the cluster. Changes nothing.',
  examples: [
    ['tiphys plan', 'plan the deployment of the whole platform'],
    ['tiphys plan teardown', 'plan the teardown'],
    [
      'tiphys plan teardown --inventory',
      'also show which objects are deleted, which are kept, which may get stuck',
    ],
    ['tiphys plan --measured', 'expect the durations of past runs'],
    ['tiphys plan --scope stack:storage --with-dependencies', 'plan a stack and its dependencies'],
    ['tiphys plan -o dot | dot -Tsvg > plan.svg', 'draw the graph'],
    ['tiphys plan -o workflow | kubectl create -f -', 'run the plan inside the cluster'],
  ],
  statuses: {
    [EXIT.failure]: '--inventory, --measured: the cluster is not accessible',
    [EXIT.partial]: '--inventory: a teardown would be refused',
  },
  arguments: [new Argument('[action]', 'the action to plan').choices(ACTIONS).default('deploy')],
  options: [
    ...FILES,
    SCOPE,
    new Option('--with-dependencies', 'deploy: also include the dependencies of the scope'),
    new Option('--with-dependents', 'teardown: also include the dependents of the scope'),
    new Option('--inventory', 'teardown: also list the live objects that it deletes and keeps'),
    ...policyOptions('with --inventory: '),
    new Option(
      '--measured',
      'deploy: expect the durations that recorded runs of the platform took',
    ),
    imageOption(),
    NODES,
    outputOption(...FORMATS),
    ...CONNECTION,
  ],
  action: planAction,
};

async function planAction({ io }: Context, options: Options, action: Action): Promise<ExitStatus> {
  checkInventory(action, options);
  checkMeasured(action, options);
  checkWorkflow(action, options);
  const withDependencies = alsoTaken(action, options);
  const planned = await planFor(io, action, { ...options, withDependencies });
  const { plan } = planned;
  const { concurrency } = plan;
  const byWorkflow = options.output === 'workflow';
  const timed = options.measured ? await timedPlan(io, planned, options) : undefined;
  const notice = await runTimeNotice(timed ?? plan, { concurrency, byWorkflow });
  if (notice !== undefined) io.stderr(renderWarning(notice, lookOn(io, 'stderr')));
  let inventory: Inventory | undefined;
  if (options.inventory) {
    const target = await connectTo(io, options, planned.compiled.platform, 'validate');
    const look = ({ stop }: { readonly stop: AbortSignal }) =>
      lookAtCluster(io, planned, target, options, stop);
    inventory = await untilStopped(io, look, { reads: true });
  }
  io.stdout(
    byWorkflow
      ? await (await import('../run/plan-workflow.ts')).renderWorkflow(io, planned, options)
      : await render(io, planned, { inventory, timed }, options.output),
  );
  return inventory && inventory.refusals.length > 0 ? EXIT.partial : EXIT.ok;
}

/** Throws where records cannot be read: what was asked for would be missing. */
async function timedPlan(io: Context['io'], planned: Planned, options: Options) {
  const target = await connectTo(io, options, planned.compiled.platform, 'validate');
  const { readMeasured } = await import('../../session/record/read-measured.ts');
  const { timedBy } = await import('../../plan/timed-plan.ts');
  const read = () => readMeasured(target.store, planned.plan.platform);
  return timedBy(planned.plan, await untilStopped(io, read, { reads: true }));
}

/** Whether the scope is extended by its dependencies (deploy) or dependents (teardown). */
function alsoTaken(action: Action, options: Options): boolean | undefined {
  const directions = {
    '--with-dependencies': options.withDependencies,
    '--with-dependents': options.withDependents,
  };
  const [right, wrong] =
    action === 'deploy'
      ? (['--with-dependencies', '--with-dependents'] as const)
      : (['--with-dependents', '--with-dependencies'] as const);
  if (directions[wrong]) {
    throw usageError(`The option ${wrong} is not supported for ${action}.`, `Use ${right}.`);
  }
  if (directions[right] && !options.scope) throw scopeless(action);
  return directions[right];
}

function checkInventory(action: Action, options: Options): void {
  const { inventory, output } = options;
  const given = givenPolicy(options);
  if (given && !inventory) requireWith('--inventory', { [given]: true });
  if (!inventory) return;
  if (action !== 'teardown') {
    const hint = 'Run `tiphys plan teardown --inventory`.';
    throw usageError('The option --inventory is only supported for teardown.', hint);
  }
  if (output === 'dot' || output === 'mermaid' || output === 'workflow') {
    const hint = 'Use -o table, wide, json or yaml, or remove --inventory.';
    throw usageError(`The output format ${output} does not support --inventory.`, hint);
  }
}

function checkMeasured(action: Action, { measured, output }: Options): void {
  if (!measured) return;
  if (action !== 'deploy') {
    const hint = 'Remove it: the durations of deployments say nothing about a teardown.';
    throw usageError('The option --measured is only supported for deploy.', hint);
  }
  if (output === 'dot' || output === 'mermaid' || output === 'workflow') {
    const hint = 'Use -o table, wide, json or yaml, or remove --measured.';
    throw usageError(`The output format ${output} does not support --measured.`, hint);
  }
}

function checkWorkflow(action: Action, { output, image, nodes }: Options): void {
  if (output !== 'workflow') {
    requireWith('-o workflow', { '--image': image, '--nodes': nodes });
  } else if (action !== 'deploy') {
    const hint =
      'A teardown must be approved first: run `tiphys teardown --engine argo-workflows`.';
    throw usageError('The output format workflow is only supported for deploy.', hint);
  }
}

/** What the cluster says about the plan. */
interface Read {
  readonly inventory: Inventory | undefined;
  readonly timed: TimedPlan | undefined;
}

/** Beside the plan, whose hash covers the durations of the file. */
const measuredIn = ({ nodes, measured }: TimedPlan) =>
  Object.fromEntries(
    nodes.flatMap(({ id, expectedDuration }) => (measured.has(id) ? [[id, expectedDuration]] : [])),
  );

async function render(
  io: Context['io'],
  { plan, compiled: { platform: elsewhere } }: Planned,
  { inventory, timed }: Read,
  format: Options['output'],
): Promise<string> {
  const measured = timed && measuredIn(timed);
  const data = { ...plan, ...(inventory && { inventory }), ...(measured && { measured }) };
  switch (format) {
    case 'json':
      return renderJson(data);
    case 'yaml':
      return (await import('../../view/data.ts')).renderYaml(data);
    case 'dot':
      return (await import('../../view/plan-graph.ts')).renderDot(plan);
    case 'mermaid':
      return (await import('../../view/plan-graph.ts')).renderMermaid(plan);
    default: {
      const all = format === 'wide';
      const look = lookOn(io, 'stdout', { wide: all });
      const { renderPlanText } = await import('../../view/plan-text.ts');
      if (!inventory) return renderPlanText(timed ?? plan, { all, elsewhere, look });
      const { renderInventory } = await import('../../view/inventory-text.ts');
      return renderParts([
        renderPlanText(plan, { all, elsewhere, look }),
        renderInventory(inventory, { all, look }),
      ]);
    }
  }
}
