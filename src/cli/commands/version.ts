// tiphys version
import type { Command } from 'commander';
import { EXIT } from '../../errors.ts';
import { renderJsonLine, renderLines } from '../../view/lines.ts';
import { type Context, createCommand, outputOption } from '../command.ts';

export function versionCommand({ io, finish }: Context): Command {
  return createCommand({
    name: 'version',
    description: 'Print the version.',
    examples: [['tiphys version -o json', 'for programs']],
  })
    .addOption(outputOption(['text', 'json']))
    .action(({ output }: { output: string }) => {
      const version = io.version();
      io.stdout(
        output === 'json' ? renderJsonLine({ version }) : renderLines([`tiphys ${version}`]),
      );
      finish(EXIT.ok);
    });
}
