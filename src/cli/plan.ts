// tiphys plan: files in, plan out.
import { Argument, type Command } from 'commander';
import { EXIT, TiphysError } from '../errors.ts';
import { ACTIONS, type Action, type Plan } from '../plan/plan.ts';
import {
  type Context,
  createCommand,
  environmentOption,
  fileOption,
  outputOption,
  scopeOption,
} from './command.ts';
import { planFor } from './planning.ts';

const FORMATS = ['table', 'wide', 'json', 'yaml', 'dot', 'mermaid'] as const;

interface Options {
  readonly file: string;
  readonly environment?: string;
  readonly scope?: readonly string[];
  readonly withDependencies?: boolean;
  readonly withDependents?: boolean;
  readonly output: (typeof FORMATS)[number];
}

export function planCommand(context: Context): Command {
  return createCommand({
    name: 'plan',
    description: 'Show what would be done, in which order. Reads files only and changes nothing.',
    examples: [
      ['tiphys plan', 'the deployment of the whole platform'],
      ['tiphys plan teardown', 'the way back'],
      ['tiphys plan --scope stack:storage --with-dependencies', 'a stack and all that it needs'],
      ['tiphys plan -o dot | dot -Tsvg > plan.svg', 'a picture'],
    ],
  })
    .addArgument(new Argument('[action]', 'what to plan').choices(ACTIONS).default('deploy'))
    .addOption(fileOption())
    .addOption(environmentOption())
    .addOption(scopeOption())
    .option('--with-dependencies', 'deploy: take along what the scope depends on')
    .option('--with-dependents', 'teardown: take along what depends on the scope')
    .addOption(outputOption(FORMATS))
    .action(async (action: Action, options: Options) => {
      context.io.stdout(await render(await build(context, action, options), options.output));
      context.finish(EXIT.ok);
    });
}

async function build({ io }: Context, action: Action, options: Options): Promise<Plan> {
  const { withDependents, withDependencies } = options;
  const [taken, other] =
    action === 'deploy' ? [withDependencies, withDependents] : [withDependents, withDependencies];
  if (other) throw wrongDirection(action);
  if (taken && !options.scope) throw scopeless(action);
  return (await planFor(io, action, { ...options, withDependencies: taken })).plan;
}

function scopeless(action: Action): TiphysError {
  const option = action === 'deploy' ? '--with-dependencies' : '--with-dependents';
  const message = `The option ${option} goes with --scope.`;
  const hint =
    'Name what to begin with, or drop it: without a scope the whole platform is planned.';
  return new TiphysError([{ code: 'usage-invalid', message, hint }]);
}

function wrongDirection(action: Action): TiphysError {
  const [wrong, right] =
    action === 'deploy'
      ? ['--with-dependents', '--with-dependencies']
      : ['--with-dependencies', '--with-dependents'];
  const message = `The option ${wrong} does not go with ${action}.`;
  return new TiphysError([{ code: 'usage-invalid', message, hint: `Use ${right}.` }]);
}

async function render(plan: Plan, format: Options['output']): Promise<string> {
  switch (format) {
    case 'json':
      return (await import('../view/data.ts')).renderJson(plan);
    case 'yaml':
      return (await import('../view/data.ts')).renderYaml(plan);
    case 'dot':
      return (await import('../view/plan-graph.ts')).renderDot(plan);
    case 'mermaid':
      return (await import('../view/plan-graph.ts')).renderMermaid(plan);
    default: {
      const { renderPlanText } = await import('../view/plan-text.ts');
      return renderPlanText(plan, { all: format === 'wide' });
    }
  }
}
