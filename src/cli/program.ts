// The list of commands.
import { Command } from 'commander';
import { bootstrapCommand } from './bootstrap.ts';
import type { Context } from './command.ts';
import { completionCommand } from './completion.ts';
import { deployCommand } from './deploy.ts';
import { explainCommand } from './explain.ts';
import { healthCommand } from './health.ts';
import { initCommand } from './init.ts';
import { planCommand } from './plan.ts';
import { preflightCommand } from './preflight.ts';
import { rehearseCommand } from './rehearse.ts';
import { releaseCommand } from './release.ts';
import { runsCommand } from './runs.ts';
import { schemaCommand } from './schema.ts';
import { statusCommand } from './status.ts';
import { stopCommand } from './stop.ts';
import { teardownCommand } from './teardown.ts';
import { validateCommand } from './validate.ts';
import { versionCommand } from './version.ts';

/** The same text everywhere, whatever the terminal. */
const HELP_WIDTH = 100;

export function createProgram(context: Context): Command {
  const program = new Command('tiphys')
    .description(
      'Brings up, checks and takes down a platform of Argo CD Applications in the order of their dependencies.',
    )
    .version(`tiphys ${context.io.version()}`, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'display help for a command');
  const commands = [
    initCommand(context),
    planCommand(context),
    rehearseCommand(context),
    preflightCommand(context),
    bootstrapCommand(context),
    deployCommand(context),
    validateCommand(context),
    teardownCommand(context),
    statusCommand(context),
    explainCommand(context),
    runsCommand(context),
    stopCommand(context),
    releaseCommand(context),
    healthCommand(context),
    schemaCommand(context),
    completionCommand(context, program),
    versionCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  settle(program, 'tiphys', context);
  return program;
}

/** The same manners for a command and for those inside of it. */
function settle(command: Command, words: string, context: Context): void {
  command
    .exitOverride((error) => {
      throw Object.assign(error, { words });
    })
    .configureHelp({ helpWidth: HELP_WIDTH })
    .configureOutput({ writeOut: context.io.stdout, writeErr: () => {} });
  for (const inside of command.commands) settle(inside, `${words} ${inside.name()}`, context);
}
