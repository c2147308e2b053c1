// The commands as data, from the program itself: what pages and man pages are made of.
import type { Command } from 'commander';
import { type CommandSpec, statusesOf } from '../../src/cli/command.ts';
import { COMMANDS, createProgram } from '../../src/cli/program.ts';
import { processIo } from '../../src/process.ts';

type Row = readonly [term: string, meaning: string];

export interface Reference {
  /** `tiphys health test` */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly Row[];
  readonly options: readonly Row[];
  /** Command line and its purpose. */
  readonly examples: readonly Row[];
  readonly statuses: readonly Row[];
  readonly commands: readonly Reference[];
}

export function programReference(): Reference {
  const program = createProgram({
    io: processIo,
    finish: () => {},
    output: () => Promise.reject(new Error('nothing runs here')),
  });
  return referenceOf(program, 'tiphys', { commands: COMMANDS });
}

function referenceOf(command: Command, name: string, spec: Partial<CommandSpec>): Reference {
  const help = command.createHelp();
  return {
    name,
    usage: `${name} ${command.usage()}`.trim(),
    description: command.description(),
    arguments: command.registeredArguments.map((one) => [
      one.required ? `<${one.name()}>` : `[${one.name()}]`,
      help.argumentDescription(one),
    ]),
    options: help.visibleOptions(command).map((one) => [one.flags, help.optionDescription(one)]),
    examples: spec.examples ?? [],
    statuses: spec.name === undefined ? [] : Object.entries(statusesOf(spec as CommandSpec)),
    commands: (spec.commands ?? []).flatMap((inside) => {
      const found = command.commands.find((one) => one.name() === inside.name);
      return found ? [referenceOf(found, `${name} ${inside.name}`, inside)] : [];
    }),
  };
}

/** With everything inside it, the program itself first. */
export const allOf = (reference: Reference): Reference[] => [
  reference,
  ...reference.commands.flatMap(allOf),
];
