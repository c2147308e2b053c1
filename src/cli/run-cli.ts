// Arguments -> exit status. Every error ends here, once, as text or as JSON.
import { CommanderError } from 'commander';
import { type Diagnostic, EXIT, type ExitStatus, TiphysError } from '../errors.ts';
import { suggestFrom } from '../model/nearest.ts';
import type { Context } from './command.ts';
import { COMPLETE } from './completion/name-kinds.ts';
import { applyDefaults } from './defaults/apply-defaults.ts';
import type { Io } from './io.ts';
import { colorIn, lookOn } from './output/look-on.ts';
import { createProgram } from './program.ts';

export async function runCli(args: readonly string[], given: Io): Promise<ExitStatus> {
  const io: Io = { ...given, color: colorIn(args) };
  const output: Context['output'] = async (options) => {
    const { commandOutput } = await import('./output/command-output.ts');
    return commandOutput(io, options);
  };
  if (args[0] === COMPLETE) {
    const { complete } = await import('./completion/complete.ts');
    return await complete(args.slice(1), io);
  }
  try {
    const context = { io, output, usesDefaults: true };
    return await perform(args.length > 0 ? args : ['--help'], context);
  } catch (error) {
    return await report(error as TiphysError, wantsJson(args), io);
  }
}

/** Options by their names, as the actions know them. They win over those of the arguments. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** Runs the action of a command. Everything that it throws is a TiphysError. */
export async function perform(
  args: readonly string[],
  context: Omit<Context, 'finish'>,
  given: GivenOptions = {},
): Promise<ExitStatus> {
  let exitStatus: ExitStatus = EXIT.ok;
  const finish = (status: ExitStatus) => {
    exitStatus = status;
  };
  const program = createProgram({ ...context, finish });
  program.hook('preAction', async (_, command) => {
    if (context.usesDefaults) await applyDefaults(command, context.io);
    for (const [name, value] of Object.entries(given)) command.setOptionValue(name, value);
  });
  try {
    const known = program.commands.map((command) => command.name());
    await program.parseAsync(helpAsked(args, known), { from: 'user' });
    return exitStatus;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    throw toTiphysError(error);
  }
}

/** `help nosuch` is refused as `nosuch` is, with the same suggestion; Commander would print the help of the program. */
function helpAsked(args: readonly string[], known: readonly string[]): readonly string[] {
  const [first, name] = args;
  if (first !== 'help' || name === undefined || name.startsWith('-')) return args;
  return name === 'help' || known.includes(name) ? args : args.slice(1);
}

function toTiphysError(error: unknown): TiphysError {
  if (error instanceof TiphysError) return error;
  if (error instanceof CommanderError) return new TiphysError([usageDiagnostic(error)]);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'This is a bug in Tiphys. Report it with the lines above.';
  const [message = '', ...details] = stack.split(/\n\s*/);
  return new TiphysError([{ code: 'bug', message, details, hint }], { cause: error });
}

/** The framework's own wording, without its prefix: "unknown command 'pln'" and "(Did you mean plan?)". */
function usageDiagnostic(error: CommanderError & { words?: string }): Diagnostic {
  const [sentence = '', suggestion] = error.message.replace(/^error: /, '').split(/\n/);
  if (error.code === 'commander.help') {
    const hint = `See \`${error.words ?? 'tiphys'} --help\`.`;
    return { code: 'usage-invalid', message: 'A command is missing.', hint };
  }
  const near =
    commandFor(sentence) ??
    /\(Did you mean (?:one of )?([^?()]*)\?\)/.exec(suggestion ?? '')?.[1] ??
    nearestChoice(sentence);
  const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`;
  const hint = near ? `Did you mean "${near}"?` : `See \`${error.words ?? 'tiphys'} --help\`.`;
  return { code: 'usage-invalid', message, hint };
}

/** What other tools call these commands. By its letters alone, "delete" would be near to "release", which lifts a hold. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  deploy: ['apply', 'create', 'install', 'reconcile', 'run', 'start', 'sync', 'up', 'upgrade'],
  teardown: ['delete', 'destroy', 'down', 'prune', 'remove', 'rm', 'uninstall'],
  status: ['get', 'list', 'ls', 'show', 'watch'],
  explain: ['describe', 'logs', 'why'],
  runs: ['history'],
  rehearse: ['simulate'],
  validate: ['check', 'test', 'verify', 'wait'],
};

/** "unknown command 'delete'" */
function commandFor(sentence: string): string | undefined {
  const wrong = /^unknown command '([^']*)'/.exec(sentence)?.[1] ?? '';
  return Object.keys(OTHER_NAMES).find((command) => OTHER_NAMES[command]?.includes(wrong));
}

/** "... 'deplyo' is invalid ... Allowed choices are deploy, teardown." */
function nearestChoice(sentence: string): string | undefined {
  const [, wrong, choices] =
    /'([^']*)' is invalid.*Allowed choices are (.*?)\.?$/.exec(sentence) ?? [];
  return wrong === undefined ? undefined : suggestFrom((choices ?? '').split(', '))(wrong);
}

/** The arguments themselves may be what is wrong, so they are read as they stand. */
function wantsJson(args: readonly string[]): boolean {
  return args.some((arg, at) => {
    const value = /^(?:-o|--output=)(.+)$/.exec(arg)?.[1] ?? args[at + 1];
    return /^(?:-o|--output)/.test(arg) && value === 'json';
  });
}

async function report(error: TiphysError, json: boolean, io: Io): Promise<ExitStatus> {
  const view = await import('../view/diagnostics.ts');
  const { diagnostics, exitStatus } = error;
  io.stderr(
    json
      ? view.renderDiagnosticsJson(diagnostics, exitStatus)
      : view.renderDiagnostics(diagnostics, lookOn(io, 'stderr')),
  );
  return exitStatus;
}
