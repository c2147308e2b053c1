// tiphys health render: checks as the entries of argocd-cm that make Argo CD use them.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { ARGOCD_NAMESPACE } from '../../model/settings.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { lookOn } from '../output/look-on.ts';
import { checksFolder, readChecks } from './health-files.ts';

interface Options extends ConnectionOptions {
  readonly output: 'yaml' | 'json';
  readonly argocdNamespace: string;
  readonly diff?: boolean;
}

export const healthRenderCommand: CommandSpec = {
  name: 'render',
  description:
    'Print health checks as entries of the ConfigMap argocd-cm, ready to commit to Git. Changes nothing.',
  examples: [
    ['tiphys health render > argocd-cm.yaml', 'write a patch for argocd-cm'],
    ['tiphys health render health/', 'render the checks in a folder'],
    ['tiphys health render --diff', 'show which entries argocd-cm in the cluster lacks'],
  ],
  statuses: {
    [EXIT.failure]: 'the cluster is not accessible',
    [EXIT.partial]: '--diff: entries are missing or different in the cluster',
  },
  arguments: [new Argument('[folder]', 'folder with the checks')],
  options: [
    new Option('--diff', 'compare with the cluster'),
    new Option('--argocd-namespace <name>', 'namespace of Argo CD').default(ARGOCD_NAMESPACE),
    outputOption('yaml', 'json'),
    ...CONNECTION,
  ],
  action: renderAction,
};

async function renderAction(
  { io }: Context,
  options: Options,
  folder: string | undefined,
): Promise<ExitStatus> {
  const { configMapOf, differencesOf, entriesOf } = await import('../../health/render.ts');
  const { renderYaml } = await import('../../view/data.ts');
  const entries = await entriesOf(readChecks(io, checksFolder(io, folder)), io.lua);
  const json = options.output === 'json';
  if (!options.diff) {
    const configMap = configMapOf(entries, options.argocdNamespace);
    io.stdout(json ? renderJson(configMap) : renderYaml(configMap));
    return EXIT.ok;
  }
  const target = await connectTo(
    io,
    options,
    { argocdNamespace: options.argocdNamespace },
    'validate',
  );
  const differences = differencesOf(
    entries,
    await target.kinds.settings(),
    await target.kinds.custom(),
  );
  const { renderDifferences } = await import('../../view/health-text.ts');
  io.stdout(json ? renderJson(differences) : renderDifferences(differences, lookOn(io, 'stdout')));
  const same = differences.every(({ state }) => state !== 'missing' && state !== 'different');
  return same ? EXIT.ok : EXIT.partial;
}
