// What all commands share: the layout of help, the names of options, the exit status.
import { type Argument, Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, type ExitStatus } from '../errors.ts';
import { parseLabelSelector } from '../model/label-selector.ts';
import { CONFIG, SettableOption, settableOf } from './defaults/settable-option.ts';
import type { Io } from './io.ts';
import type { Output, OutputOptions } from './output/output.ts';

export interface Context {
  readonly io: Io;
  /** Where an action reports progress and its result. */
  readonly output: (options: OutputOptions) => Promise<Output>;
  /** Options without a value on the command line get the one that a variable or the config file has for them. */
  readonly usesDefaults?: boolean;
  /** Called once, at the end of a command. */
  readonly finish: (exitStatus: ExitStatus) => void;
}

/** A command, or a group of them. */
export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  /** Command line and its purpose. */
  readonly examples: readonly (readonly [string, string])[];
  /** Exit statuses other than 0 and 3, or what these mean for this command. */
  readonly statuses?: Readonly<Record<number, string>>;
  readonly arguments?: readonly Argument[];
  /** In the order of the help. */
  readonly options?: readonly Option[];
  readonly commands?: readonly CommandSpec[];
  /** The action declares the types of its options and arguments. The command itself is the last argument. */
  readonly action?: (
    context: Context,
    options: never,
    ...args: never[]
  ) => ExitStatus | Promise<ExitStatus>;
}

/** Every exit status of a command, with its meaning. */
export const statusesOf = ({ statuses }: CommandSpec): Readonly<Record<string, string>> => ({
  [EXIT.ok]: 'done',
  [EXIT.invalid]: 'invalid file, argument or name; nothing was changed',
  ...statuses,
});

export function createCommand(spec: CommandSpec, context: Context): Command {
  const { name, description, examples, action } = spec;
  const lines = [
    '',
    'Examples:',
    ...examples.flatMap(([line, purpose]) => [`  # ${purpose}`, `  ${line}`]),
    '',
    'Exit statuses:',
    ...Object.entries(statusesOf(spec)).map(([status, meaning]) => `  ${status}  ${meaning}`),
  ];
  const command = new Command(name).description(description).addHelpText('after', lines.join('\n'));
  for (const argument of spec.arguments ?? []) command.addArgument(argument);
  for (const option of spec.options ?? []) command.addOption(option);
  if (context.usesDefaults && settableOf(command.options).length > 0) command.addOption(CONFIG);
  for (const inside of spec.commands ?? []) command.addCommand(createCommand(inside, context));
  if (!action) return command;
  return command.action(async (...given) => {
    const [options] = given.splice(-2, 1);
    context.finish(await action(context, options as never, ...(given as never[])));
  });
}

/** For every command that reads the platform and the environment file. */
export const FILES: readonly Option[] = [
  new SettableOption(
    '-f, --file <file>',
    'path to the platform file; - reads standard input',
  ).default('platform.yaml'),
  new SettableOption(
    '-e, --environment <file>',
    'path to the environment file (default: environment.yaml next to the platform file, if it exists)',
  ),
];

export const outputOption = (...formats: readonly [string, ...string[]]) =>
  new Option('-o, --output <format>', 'output format').choices(formats).default(formats[0]);

export const QUIET = new SettableOption('--quiet', 'do not print progress');

/** May be repeated; the value is the list. */
export const repeatedOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((value, before: string[] | undefined) => [
    ...(before ?? []),
    value,
  ]);

export const SCOPE = repeatedOption(
  '--scope <reference>',
  'limit to platform, stack:NAME or app:NAME; can be repeated',
);

export const SELECTOR = new Option(
  '-l, --selector <selector>',
  'limit to Applications whose labels match, such as team=shop,tier!=test or tier in (web,api)',
).argParser((text) => {
  const selector = parseLabelSelector(text);
  if (selector) return selector;
  throw new InvalidArgumentError(
    'Use KEY=VALUE, KEY!=VALUE, KEY in (A,B), KEY notin (A,B), KEY or !KEY, separated by commas.',
  );
});
