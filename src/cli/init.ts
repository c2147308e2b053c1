// tiphys init: two files to start from. Overwrites nothing unless told to.
import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT, TiphysError } from '../errors.ts';
import { LABEL_NAME, LONGEST_LABEL, quote, RESERVED_NAMES } from '../model/names.ts';
import { type Context, createCommand } from './command.ts';
import { environmentTemplate, platformTemplate } from './templates.ts';

interface Options {
  readonly name: string;
  readonly force?: boolean;
}

export function initCommand(context: Context): Command {
  return createCommand({
    name: 'init',
    description: 'Write a commented platform.yaml and environment.yaml to start from.',
    examples: [
      ['tiphys init', 'into this folder'],
      ['tiphys init shop --name shop', 'into the folder shop'],
    ],
  })
    .argument('[folder]', 'where to write the files', '.')
    .option('--name <name>', 'name of the platform', 'my-platform')
    .option('--force', 'overwrite files that are there')
    .action((folder: string, options: Options) => init(context, folder, options));
}

function init({ io, finish }: Context, folder: string, { name, force }: Options): void {
  if (!LABEL_NAME.test(name) || name.length > LONGEST_LABEL || RESERVED_NAMES.has(name)) {
    const message = `${quote(name)} is not a name for a platform.`;
    const hint = `Use lower-case letters, digits and "-", at most ${LONGEST_LABEL}.`;
    throw new TiphysError([{ code: 'name-invalid', message, hint }]);
  }
  const files = [
    { path: join(folder, 'platform.yaml'), text: platformTemplate(name) },
    { path: join(folder, 'environment.yaml'), text: environmentTemplate() },
  ];
  const present = files.filter(({ path }) => !force && io.exists(path));
  if (present.length > 0) {
    throw new TiphysError(
      present.map(({ path }) => ({
        code: 'file-exists',
        message: `${path} is there already; nothing was written.`,
        hint: 'Choose another folder, or overwrite it with --force.',
      })),
    );
  }
  for (const { path, text } of files) write(io, path, text);
  io.stdout(`${files.map(({ path }) => `wrote ${path}\n`).join('')}`);
  const where = folder === '.' ? '' : ` -f ${files[0]?.path}`;
  io.stdout(`next: edit them, then see the order with \`tiphys plan${where}\`\n`);
  finish(EXIT.ok);
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
