// tiphys version
import { EXIT } from '../../errors.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { renderJsonLine, renderLines } from '../../view/lines.ts';
import { type CommandSpec, type Context, outputOption } from '../command.ts';

export const versionCommand: CommandSpec = {
  name: 'version',
  description: 'Print the version.',
  examples: [['tiphys version -o json', 'print the version as JSON']],
  options: [outputOption('text', 'json')],
  action: ({ io }: Context, { output }: { output: string }) => {
    const version = io.version();
    io.stdout(
      output === 'json'
        ? renderJsonLine({ apiVersion: API_VERSION, kind: 'Version', version })
        : renderLines([`tiphys ${version}`]),
    );
    return EXIT.ok;
  },
};
