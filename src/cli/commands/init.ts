// tiphys init: writes two files to start from, or a whole example. Overwrites files only with --force.
import { join } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import {
  ADDRESS_WITHOUT_CREDENTIALS,
  LABEL_NAME,
  LONGEST_LABEL,
  quote,
  RESERVED_NAMES,
} from '../../model/names.ts';
import { renderLines } from '../../view/lines.ts';
import type { CommandSpec, Context } from '../command.ts';
import { type ExampleFile, exampleFiles, fromExample } from '../init/example.ts';
import { environmentTemplate, platformTemplate } from '../init/templates.ts';
import { refusePresent, writeOut } from '../output/write-files.ts';

interface Options {
  readonly name: string;
  readonly from?: string;
  readonly gitRepository?: string;
  readonly standIns?: boolean;
  readonly force?: boolean;
}

export const initCommand: CommandSpec = {
  name: 'init',
  description: 'Write a commented platform.yaml and environment.yaml to start from.',
  examples: [
    ['tiphys init', 'write to the current folder'],
    ['tiphys init shop --name shop', 'write to the folder shop'],
    ['tiphys init platform --from reference', 'copy the reference platform with its Git tree'],
  ],
  arguments: [new Argument('[folder]', 'folder to write the files to').default('.')],
  options: [
    new Option('--name <name>', 'name of the platform').default('my-platform'),
    new Option('--from <example>', 'copy an example with its own name, without --name')
      .choices(['reference'])
      .conflicts('name'),
    new Option(
      '--git-repository <url>',
      'URL of the Git repository that will hold the files',
    ).argParser(repository),
    new Option(
      '--stand-ins',
      'the reference platform with stand-ins for its software, for an air-gapped cluster',
    ).implies({ from: 'reference' }),
    new Option('--force', 'overwrite existing files'),
  ],
  action: init,
};

/** The URL is written to files that are committed: it must be plain YAML text and must not hold a password. */
function repository(url: string): string {
  if (!/^[^\s"'`{},[\]#&*!|>%@][^\s"'{},[\]#]*$/.test(url))
    throw new InvalidArgumentError('It is not a valid URL of a Git repository.');
  if (!ADDRESS_WITHOUT_CREDENTIALS.test(url))
    throw new InvalidArgumentError(
      'It contains a password or token; configure credentials in Argo CD, do not commit them.',
    );
  return url;
}

const FORCE_HINT = 'Choose another folder, or overwrite the file with --force.';

function init({ io }: Context, options: Options, folder: string): ExitStatus {
  const files = options.from
    ? fromExample(exampleFiles(io, options.from), {
        ...(options.gitRepository ? { repository: options.gitRepository } : {}),
        standIns: options.standIns ?? false,
      })
    : templates(options);
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }));
  if (!options.force) refusePresent(io, placed, FORCE_HINT);
  for (const { path, text } of placed) writeOut(io, path, text);
  const platform = join(folder, 'platform.yaml');
  const where = folder === '.' ? '' : ` -f ${platform}`;
  const told = options.from
    ? [
        `wrote ${placed.length} files of the example "${options.from}"`,
        `next: read ${join(folder, 'README.md')}, then run \`tiphys plan${where}\``,
      ]
    : [
        ...placed.map(({ path }) => `wrote ${path}`),
        `next: edit the files, then run \`tiphys plan${where}\``,
      ];
  io.stdout(renderLines(told));
  return EXIT.ok;
}

function templates({ name, gitRepository }: Options): readonly ExampleFile[] {
  if (!LABEL_NAME.test(name) || name.length > LONGEST_LABEL || RESERVED_NAMES.has(name)) {
    const message = `${quote(name)} is not a valid platform name.`;
    const hint = `Use lowercase letters, digits and "-", at most ${LONGEST_LABEL} characters.`;
    throw new TiphysError([{ code: 'name-invalid', message, hint }]);
  }
  return [
    { path: 'platform.yaml', text: platformTemplate(name) },
    { path: 'environment.yaml', text: environmentTemplate(gitRepository) },
  ];
}
