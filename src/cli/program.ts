// The list of commands.
import { Command, Help, Option } from 'commander';
import { type CommandSpec, type Context, createCommand } from './command.ts';
import { approveCommand } from './commands/approve.ts';
import { bootstrapCommand } from './commands/bootstrap.ts';
import { completionCommand } from './commands/completion.ts';
import { configCommand } from './commands/config.ts';
import { deployCommand } from './commands/deploy.ts';
import { diffCommand } from './commands/diff.ts';
import { explainCommand } from './commands/explain.ts';
import { healthCommand } from './commands/health.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { lintCommand } from './commands/lint.ts';
import { planCommand } from './commands/plan.ts';
import { preflightCommand } from './commands/preflight.ts';
import { rehearseCommand } from './commands/rehearse.ts';
import { releaseCommand } from './commands/release.ts';
import { runsCommand } from './commands/runs.ts';
import { schemaCommand } from './commands/schema.ts';
import { statusCommand } from './commands/status.ts';
import { stopCommand } from './commands/stop.ts';
import { teardownCommand } from './commands/teardown.ts';
import { validateCommand } from './commands/validate.ts';
import { versionCommand } from './commands/version.ts';
import { SettableOption } from './defaults/settable-option.ts';
import { COLORS } from './output/look-on.ts';

/** The same text on every terminal. */
const HELP_WIDTH = 100;

export const COMMANDS: readonly CommandSpec[] = [
  ...[
    initCommand,
    importCommand,
    lintCommand,
    planCommand,
    rehearseCommand,
    preflightCommand,
    bootstrapCommand,
  ],
  ...[deployCommand, diffCommand, validateCommand, teardownCommand],
  ...[statusCommand, explainCommand],
  ...[approveCommand, runsCommand, stopCommand, releaseCommand, healthCommand],
  ...[configCommand, schemaCommand, completionCommand, versionCommand],
];

export function createProgram(context: Context): Command {
  const program = new Command('tiphys')
    .description(
      'Deploy, validate and tear down a platform of Argo CD Applications in dependency order.',
    )
    .version(`tiphys ${context.io.version()}`, '-V, --version', 'print the version')
    .addOption(
      new Option(
        '--color <when>',
        'colour text; auto: on terminals, unless NO_COLOR or FORCE_COLOR is set',
      )
        .choices(COLORS)
        .default('auto'),
    )
    .helpCommand('help [command]', 'display help for a command');
  for (const spec of COMMANDS) program.addCommand(createCommand(spec, context));
  settle(program, 'tiphys', context);
  return program;
}

/** Commander would read a variable itself, also for the executor, and take any value for a flag. So it only shows the name. */
function optionDescription(option: Option): string {
  if (!(option instanceof SettableOption)) return new Help().optionDescription(option);
  const shown = Object.create(option, { envVar: { value: option.variable } });
  return new Help().optionDescription(shown);
}

/** The same behaviour for a command and its subcommands. */
function settle(command: Command, words: string, context: Context): void {
  command
    .exitOverride((error) => {
      throw Object.assign(error, { words });
    })
    .configureHelp({ helpWidth: HELP_WIDTH, optionDescription, showGlobalOptions: true })
    .configureOutput({ writeOut: context.io.stdout, writeErr: () => {} });
  for (const inside of command.commands) settle(inside, `${words} ${inside.name()}`, context);
}
