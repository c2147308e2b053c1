// Arguments -> exit status. Every error ends here, once, as text or as JSON.
import { CommanderError } from 'commander';
import { type Diagnostic, EXIT, type ExitStatus, TiphysError } from '../errors.ts';
import { suggestFrom } from '../model/nearest.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';

export async function runCli(args: readonly string[], io: Io): Promise<ExitStatus> {
  let exitStatus: ExitStatus = EXIT.ok;
  const finish = (status: ExitStatus) => {
    exitStatus = status;
  };
  try {
    await createProgram({ io, finish }).parseAsync(args.length > 0 ? args : ['--help'], {
      from: 'user',
    });
    return exitStatus;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
    return await report(toTiphysError(error), wantsJson(args), io);
  }
}

function toTiphysError(error: unknown): TiphysError {
  if (error instanceof TiphysError) return error;
  if (error instanceof CommanderError) return new TiphysError([usageDiagnostic(error)]);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'This is a mistake in Tiphys. Report it with the lines above.';
  return new TiphysError([{ code: 'bug', message: stack, hint }], { cause: error });
}

/** The framework's own wording, without its prefix: "unknown command 'pln'" and "(Did you mean plan?)". */
function usageDiagnostic(error: CommanderError & { words?: string }): Diagnostic {
  const [sentence = '', suggestion] = error.message.replace(/^error: /, '').split(/\n/);
  if (error.code === 'commander.help') {
    const hint = `See \`${error.words ?? 'tiphys'} --help\`.`;
    return { code: 'usage-invalid', message: 'A command is missing.', hint };
  }
  const near =
    /\(Did you mean (?:one of )?(.*)\?\)/.exec(suggestion ?? '')?.[1] ?? nearestChoice(sentence);
  const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/\.$/, '')}.`;
  const hint = near ? `Did you mean "${near}"?` : `See \`${error.words ?? 'tiphys'} --help\`.`;
  return { code: 'usage-invalid', message, hint };
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
      : view.renderDiagnostics(diagnostics),
  );
  return exitStatus;
}
