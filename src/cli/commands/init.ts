// tiphys init: two files to start from, or a whole example. Overwrites nothing unless told to.
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
    ['tiphys init', 'into this folder'],
    ['tiphys init shop --name shop', 'into the folder shop'],
    ['tiphys init platform --from reference', 'the reference platform, with its whole Git tree'],
  ],
  arguments: [new Argument('[folder]', 'where to write the files').default('.')],
  options: [
    new Option('--name <name>', 'name of the platform').default('my-platform'),
    new Option('--from <example>', 'copy an example').choices(['reference']).conflicts('name'),
    new Option('--git-repository <url>', 'where the files will live').argParser(repository),
    new Option(
      '--stand-ins',
      'the reference platform with stand-ins for its software, for a cluster without a registry',
    ).implies({ from: 'reference' }),
    new Option('--force', 'overwrite files that are there'),
  ],
  action: init,
};

/** It goes into files that are committed: text that YAML takes as it is, and no password. */
function repository(url: string): string {
  if (!/^[^\s"'`{},[\]#&*!|>%@][^\s"'{},[\]#]*$/.test(url))
    throw new InvalidArgumentError('It is not the address of a Git repository.');
  if (!ADDRESS_WITHOUT_CREDENTIALS.test(url))
    throw new InvalidArgumentError(
      'It has a password or token in it; give that to Argo CD, not to Git.',
    );
  return url;
}

function init({ io }: Context, options: Options, folder: string): ExitStatus {
  const files = options.from
    ? fromExample(exampleFiles(io, options.from), {
        ...(options.gitRepository ? { repository: options.gitRepository } : {}),
        standIns: options.standIns ?? false,
      })
    : templates(options);
  const placed = files.map(({ path, text }) => ({ path: join(folder, path), text }));
  refusePresent(io, placed, options.force ?? false);
  for (const { path, text } of placed) write(io, path, text);
  const platform = join(folder, 'platform.yaml');
  const where = folder === '.' ? '' : ` -f ${platform}`;
  const told = options.from
    ? [
        `wrote ${placed.length} files of the example "${options.from}"`,
        `next: read ${join(folder, 'README.md')}, see the order with \`tiphys plan${where}\``,
      ]
    : [
        ...placed.map(({ path }) => `wrote ${path}`),
        `next: edit them, then see the order with \`tiphys plan${where}\``,
      ];
  io.stdout(renderLines(told));
  return EXIT.ok;
}

function templates({ name, gitRepository }: Options): readonly ExampleFile[] {
  if (!LABEL_NAME.test(name) || name.length > LONGEST_LABEL || RESERVED_NAMES.has(name)) {
    const message = `${quote(name)} is not a name for a platform.`;
    const hint = `Use lower-case letters, digits and "-", at most ${LONGEST_LABEL}.`;
    throw new TiphysError([{ code: 'name-invalid', message, hint }]);
  }
  return [
    { path: 'platform.yaml', text: platformTemplate(name) },
    { path: 'environment.yaml', text: environmentTemplate(gitRepository) },
  ];
}

function refusePresent(io: Context['io'], files: readonly ExampleFile[], force: boolean): void {
  const present = files.filter(({ path }) => !force && io.exists(path));
  if (present.length === 0) return;
  throw new TiphysError(
    present.map(({ path }) => ({
      code: 'file-exists',
      message: `${path} is there already; nothing was written.`,
      hint: 'Choose another folder, or overwrite it with --force.',
    })),
  );
}

function write(io: Context['io'], path: string, text: string): void {
  try {
    io.writeFile(path, text);
  } catch (cause) {
    const message = `Cannot write ${path}: ${(cause as Error).message}.`;
    const hint = 'Choose a folder that you may write to.';
    throw new TiphysError([{ code: 'file-unwritable', message, hint }], { cause });
  }
}
