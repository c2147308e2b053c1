// tiphys plan: files in, plan out.
import { Argument, type Command } from 'commander';
import { EXIT, TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import { ACTIONS, type Action, type Plan } from '../../plan/plan.ts';
import { renderParts } from '../../view/lines.ts';
import { type Context, createCommand, outputOption, scopeOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { type Planned, type PlanningOptions, planFor, scopeless } from '../input/planning.ts';
import {
  givenPolicy,
  type PolicyOptions,
  policyOf,
  withPolicy,
} from '../options/policy-options.ts';
import { imageOption, nodesOption } from '../options/run-options.ts';
import { stopSignals } from '../run/signals.ts';

const FORMATS = ['table', 'wide', 'json', 'yaml', 'dot', 'mermaid', 'workflow'] as const;

interface Options extends PlanningOptions, ConnectionOptions, PolicyOptions {
  readonly withDependents?: boolean;
  readonly inventory?: boolean;
  readonly image?: string;
  readonly nodes?: 'agent' | 'pods';
  readonly output: (typeof FORMATS)[number];
}

export function planCommand(context: Context): Command {
  const command = createCommand({
    name: 'plan',
    readsFiles: true,
    description:
      'Show what would be done, in which order. Reads files only, and with --inventory the cluster; changes nothing.',
    examples: [
      ['tiphys plan', 'the deployment of the whole platform'],
      ['tiphys plan teardown', 'the way back'],
      ['tiphys plan teardown --inventory', 'with what the cluster has: what goes, stays, may hang'],
      ['tiphys plan --scope stack:storage --with-dependencies', 'a stack and all that it needs'],
      ['tiphys plan -o dot | dot -Tsvg > plan.svg', 'a picture'],
      ['tiphys plan -o workflow | kubectl create -f -', 'run it inside of the cluster'],
    ],
    statuses: {
      [EXIT.failure]: '--inventory: no access to the cluster',
      [EXIT.partial]: '--inventory: something is in the way of a teardown',
    },
  })
    .addArgument(new Argument('[action]', 'what to plan').choices(ACTIONS).default('deploy'))
    .addOption(scopeOption())
    .option('--with-dependencies', 'deploy: take along what the scope depends on')
    .option('--with-dependents', 'teardown: take along what depends on the scope')
    .option('--inventory', 'teardown: with what the cluster has of it');
  withPolicy(command, 'with --inventory: ')
    .addOption(imageOption())
    .addOption(nodesOption())
    .addOption(outputOption(FORMATS));
  return withConnection(command).action((action: Action, options: Options) =>
    planAction(context, action, options),
  );
}

async function planAction(context: Context, action: Action, options: Options): Promise<void> {
  checkInventory(action, options);
  checkWorkflow(action, options);
  const planned = await build(context, action, options);
  const inventory = options.inventory ? await look(context, planned, options) : undefined;
  const text =
    options.output === 'workflow'
      ? await (await import('../run/plan-workflow.ts')).renderWorkflow(context.io, planned, options)
      : await render(planned.plan, inventory, options.output);
  context.io.stdout(text);
  context.finish(inventory && inventory.refusals.length > 0 ? EXIT.partial : EXIT.ok);
}

async function look({ io }: Context, planned: Planned, options: Options): Promise<Inventory> {
  const { compiled, plan, whole } = planned;
  const target = await connectTo(io, options, compiled.platform.argocdNamespace);
  const { takeInventory } = await import('../../engines/teardown/take-inventory.ts');
  const signals = stopSignals(io, { reads: true });
  try {
    return await takeInventory({
      ...{ plan, whole, target, clock: io.clock, policy: policyOf(options) },
      ...{ concurrency: plan.concurrency, signal: signals.stop },
    });
  } finally {
    signals.close();
  }
}

async function build({ io }: Context, action: Action, options: Options): Promise<Planned> {
  const { withDependents, withDependencies } = options;
  const [taken, other] =
    action === 'deploy' ? [withDependencies, withDependents] : [withDependents, withDependencies];
  if (other) throw wrongDirection(action);
  if (taken && !options.scope) throw scopeless(action);
  return await planFor(io, action, { ...options, withDependencies: taken });
}

function checkInventory(action: Action, options: Options): void {
  const { inventory, output } = options;
  const given = givenPolicy(options);
  const wrong = (message: string, hint: string) =>
    new TiphysError([{ code: 'usage-invalid', message, hint }]);
  if (given && !inventory) {
    throw wrong(`The option ${given} goes with --inventory.`, `Add it, or drop ${given}.`);
  }
  if (!inventory) return;
  if (action !== 'teardown') {
    throw wrong('The option --inventory goes with teardown.', 'tiphys plan teardown --inventory');
  }
  if (output === 'dot' || output === 'mermaid' || output === 'workflow') {
    const hint = 'Take table, wide, json or yaml, or drop --inventory.';
    const what = output === 'workflow' ? 'A Workflow' : 'A picture';
    throw wrong(`${what} (-o ${output}) has no room for an inventory.`, hint);
  }
}

function checkWorkflow(action: Action, { output, image, nodes }: Options): void {
  const wrong = (message: string, hint: string) =>
    new TiphysError([{ code: 'usage-invalid', message, hint }]);
  const given = Object.entries({ '--image': image, '--nodes': nodes });
  const [only] = given.find(([, value]) => value !== undefined) ?? [];
  if (output !== 'workflow' && only !== undefined)
    throw wrong(`The option ${only} goes with -o workflow.`, `Add it, or drop ${only}.`);
  if (output === 'workflow' && action !== 'deploy')
    throw wrong(
      'Only a deployment can be printed as a Workflow.',
      'A teardown needs to be approved: tiphys teardown --engine argo-workflows',
    );
}

function wrongDirection(action: Action): TiphysError {
  const [wrong, right] =
    action === 'deploy'
      ? ['--with-dependents', '--with-dependencies']
      : ['--with-dependencies', '--with-dependents'];
  const message = `The option ${wrong} does not go with ${action}.`;
  return new TiphysError([{ code: 'usage-invalid', message, hint: `Use ${right}.` }]);
}

async function render(
  plan: Plan,
  inventory: Inventory | undefined,
  format: Options['output'],
): Promise<string> {
  const data = inventory ? { ...plan, inventory } : plan;
  switch (format) {
    case 'json':
      return (await import('../../view/data.ts')).renderJson(data);
    case 'yaml':
      return (await import('../../view/data.ts')).renderYaml(data);
    case 'dot':
      return (await import('../../view/plan-graph.ts')).renderDot(plan);
    case 'mermaid':
      return (await import('../../view/plan-graph.ts')).renderMermaid(plan);
    default: {
      const all = format === 'wide';
      const { renderPlanText } = await import('../../view/plan-text.ts');
      if (!inventory) return renderPlanText(plan, { all });
      const { renderInventory } = await import('../../view/inventory-text.ts');
      return renderParts([renderPlanText(plan, { all }), renderInventory(inventory, { all })]);
    }
  }
}
