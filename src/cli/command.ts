// What all commands have in common: how help looks, how options are named, how an exit status is given back.
import { Command, Option } from 'commander';
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

export interface CommandText {
  readonly name: string;
  readonly description: string;
  /** Command line and what it is for. */
  readonly examples: readonly (readonly [string, string])[];
  /** Exit statuses beside 0 and 3, or what these mean here. */
  readonly statuses?: Readonly<Record<number, string>>;
  /** It reads the platform and the environment file, and has the options that name them. */
  readonly readsFiles?: true;
}

export function createCommand(text: CommandText): Command {
  const { name, description, examples, statuses, readsFiles } = text;
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
  for (const option of readsFiles ? fileOptions() : []) command.addOption(option);
  return command;
}

const fileOptions = (): readonly Option[] => [
  new Option('-f, --file <file>', 'the platform file; - is standard input').default(
    'platform.yaml',
  ),
  new Option(
    '-e, --environment <file>',
    'the environment file (default: environment.yaml beside the platform file, if there is one)',
  ),
];

export const outputOption = (formats: readonly [string, ...string[]]) =>
  new Option('-o, --output <format>', 'form of the result').choices(formats).default(formats[0]);

export const scopeOption = () =>
  new Option('--scope <reference>', 'platform, stack:NAME or app:NAME; may be repeated').argParser(
    (value, previous: string[] | undefined) => [...(previous ?? []), value],
  );
