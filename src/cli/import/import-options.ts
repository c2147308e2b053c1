// The options of `tiphys import`, and what does not go together.
import { InvalidArgumentError, Option } from 'commander';
import { usageError } from '../../errors.ts';
import { type Pair, parsePair } from '../../import/decide.ts';
import { LABEL_NAME, LONGEST_LABEL, RESERVED_NAMES } from '../../model/names.ts';
import { outputOption, QUIET } from '../command.ts';
import { CONNECTION } from '../input/connection.ts';
import { checkSource, SOURCE_OPTIONS, type SourceOptions } from './source-options.ts';

export interface ImportOptions extends SourceOptions {
  readonly file?: string;
  readonly name?: string;
  readonly order: 'evidence' | 'waves';
  readonly accept?: readonly Pair[];
  readonly reject?: readonly Pair[];
  readonly diff?: string;
  readonly environment?: string;
  readonly output: 'text' | 'json' | 'html';
  readonly reportFile?: string;
  readonly quiet?: boolean;
}

export const IMPORT_OPTIONS: readonly Option[] = [
  ...SOURCE_OPTIONS,
  new Option(
    '-f, --file <file>',
    'the platform file to write; - is standard output; never overwritten (default: "platform.yaml")',
  ),
  new Option('--name <name>', 'name of the platform (default: "platform")').argParser(platformName),
  new Option(
    '--order <order>',
    'evidence: dependencies with their reasons; waves: the order of today',
  )
    .choices(['evidence', 'waves'])
    .default('evidence'),
  pairOption(
    '--accept <pair>',
    "keep a suggested dependency in import.yaml, as 'web->db'; may be repeated",
  ),
  pairOption(
    '--reject <pair>',
    "keep in import.yaml that it is none, as 'web->db'; may be repeated",
  ),
  new Option(
    '--diff <file>',
    'compare this platform file with the evidence; writes no platform file',
  ),
  new Option('-e, --environment <file>', 'with --diff: the environment file'),
  outputOption('text', 'json', 'html').default('text'),
  new Option(
    '--report-file <file>',
    'write the report there, not to standard output; never overwritten',
  ),
  QUIET,
  ...CONNECTION,
];

function platformName(name: string): string {
  if (LABEL_NAME.test(name) && name.length <= LONGEST_LABEL && !RESERVED_NAMES.has(name))
    return name;
  throw new InvalidArgumentError(
    `Use lower-case letters, digits and "-", at most ${LONGEST_LABEL}.`,
  );
}

function pairOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text, before: Pair[] | undefined) => {
    const pair = parsePair(text);
    if (!pair)
      throw new InvalidArgumentError("Write it in quotes: 'web->db' if web depends on db.");
    return [...(before ?? []), pair];
  });
}

export function checkOptions(options: ImportOptions): void {
  checkSource(options);
  if (options.environment !== undefined && options.diff === undefined)
    throw usageError('The option -e goes with --diff.', 'Add --diff platform.yaml.');
  if (options.diff !== undefined) checkDiff(options);
  const both = (options.accept ?? []).find((one) =>
    options.reject?.some(
      (other) => other.dependent === one.dependent && other.dependency === one.dependency,
    ),
  );
  if (both)
    throw usageError(
      `${both.dependent}->${both.dependency} is both accepted and rejected.`,
      'Give one of the two.',
    );
}

function checkDiff({ file, order, output }: ImportOptions): void {
  if (file !== undefined)
    throw usageError('--diff writes no platform file.', 'Drop -f, or drop --diff.');
  if (order === 'waves')
    throw usageError('--diff compares with the evidence.', 'Drop --order waves.');
  if (output === 'html') throw usageError('--diff has no HTML report.', 'Take -o text or -o json.');
}
