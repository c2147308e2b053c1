// What all commands have in common: how help looks, how options are named, how an exit status is given back.
import { type Argument, Command, Option } from 'commander';
import { EXIT, type ExitStatus } from '../errors.ts';
import type { Io } from './io.ts';
import type { Output, OutputOptions } from './output/output.ts';

export interface Context {
  readonly io: Io;
  /** Where an action tells what happens and what came of it. */
  readonly output: (options: OutputOptions) => Promise<Output>;
  /** Called once, at the end of a command. */
  readonly finish: (exitStatus: ExitStatus) => void;
}

/** A command, or a group of them. */
export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  /** Command line and what it is for. */
  readonly examples: readonly (readonly [string, string])[];
  /** Exit statuses beside 0 and 3, or what these mean here. */
  readonly statuses?: Readonly<Record<number, string>>;
  readonly arguments?: readonly Argument[];
  /** In the order of the help. */
  readonly options?: readonly Option[];
  readonly commands?: readonly CommandSpec[];
  /** Its own types say what comes of the options and the arguments. The command itself is the last argument. */
  readonly action?: (
    context: Context,
    options: never,
    ...args: never[]
  ) => ExitStatus | Promise<ExitStatus>;
}

export function createCommand(spec: CommandSpec, context: Context): Command {
  const { name, description, examples, statuses, action } = spec;
  const all = {
    [EXIT.ok]: 'done',
    [EXIT.invalid]: 'a file, an argument or a name is wrong; nothing was done',
    ...statuses,
  };
  const lines = [
    '',
    'Examples:',
    ...examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]),
    '',
    'Exit statuses:',
    ...Object.entries(all).map(([status, meaning]) => `  ${status}  ${meaning}`),
  ];
  const command = new Command(name).description(description).addHelpText('after', lines.join('\n'));
  for (const argument of spec.arguments ?? []) command.addArgument(argument);
  for (const option of spec.options ?? []) command.addOption(option);
  for (const inside of spec.commands ?? []) command.addCommand(createCommand(inside, context));
  if (!action) return command;
  return command.action(async (...given) => {
    const [options] = given.splice(-2, 1);
    context.finish(await action(context, options as never, ...(given as never[])));
  });
}

/** Of every command that reads the platform and the environment file. */
export const FILES: readonly Option[] = [
  new Option('-f, --file <file>', 'the platform file; - is standard input').default(
    'platform.yaml',
  ),
  new Option(
    '-e, --environment <file>',
    'the environment file (default: environment.yaml beside the platform file, if there is one)',
  ),
];

export const outputOption = (...formats: readonly [string, ...string[]]) =>
  new Option('-o, --output <format>', 'form of the result').choices(formats).default(formats[0]);

export const QUIET = new Option('--quiet', 'no progress');

/** May be given several times: all that was given. */
export const repeatedOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((value, before: string[] | undefined) => [
    ...(before ?? []),
    value,
  ]);

export const SCOPE = repeatedOption(
  '--scope <reference>',
  'platform, stack:NAME or app:NAME; may be repeated',
);
