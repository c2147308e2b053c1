// tiphys config: where the defaults of options come from.
import { EXIT, type ExitStatus } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption, QUIET } from '../command.ts';
import { CONFIG, settableOf } from '../defaults/settable-option.ts';
import { CONNECTION } from '../input/connection.ts';
import { ENGINE, imageOption } from '../options/run-options.ts';
import { lookOn } from '../output/look-on.ts';

/** Every option that has a key in the config file. */
export const SETTABLE = settableOf([...FILES, ...CONNECTION, ENGINE, imageOption(), QUIET]);

interface Options {
  readonly config?: string;
  readonly output: 'text' | 'json' | 'yaml';
}

const VIEW: CommandSpec = {
  name: 'view',
  description:
    'Show the default of each option and where it comes from: a variable, the config file, or the program. An option on the command line wins over a variable, and a variable over the config file.',
  examples: [
    ['tiphys config view', 'show the defaults of this shell'],
    ['tiphys config view --config ci.yaml', 'show them with a config file'],
  ],
  options: [CONFIG, outputOption('text', 'json', 'yaml')],
  action: viewAction,
};

export const configCommand: CommandSpec = {
  name: 'config',
  description: 'Show the defaults of options. The config file is only read if it is named.',
  examples: [['tiphys config view', 'show each default and where it comes from']],
  commands: [VIEW],
};

async function viewAction({ io }: Context, options: Options): Promise<ExitStatus> {
  const { findDefaults } = await import('../defaults/find-defaults.ts');
  const found = await findDefaults(io, SETTABLE, options.config);
  if (options.output === 'json') io.stdout(renderJson(found));
  else if (options.output === 'yaml')
    io.stdout((await import('../../view/data.ts')).renderForeignYaml(found));
  else {
    const { renderDefaults } = await import('../../view/defaults-text.ts');
    io.stdout(renderDefaults(found, lookOn(io, 'stdout')));
  }
  return EXIT.ok;
}
