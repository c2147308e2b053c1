// tiphys health render: checks as the entries of argocd-cm that make Argo CD use them.
import { type Command, Option } from 'commander';
import { EXIT } from '../../errors.ts';
import { ARGOCD_NAMESPACE } from '../../model/settings.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { checksFolder, readChecks } from './health-files.ts';

interface Options extends ConnectionOptions {
  readonly output: 'yaml' | 'json';
  readonly argocdNamespace: string;
  readonly diff?: boolean;
}

export function healthRenderCommand(context: Context): Command {
  const command = createCommand({
    name: 'render',
    description:
      'Print health checks as the entries of the ConfigMap argocd-cm, to be committed to Git. Changes nothing.',
    examples: [
      ['tiphys health render > argocd-cm.yaml', 'a patch for argocd-cm'],
      ['tiphys health render health/', 'the checks of a folder'],
      ['tiphys health render --diff', 'what the argocd-cm of the cluster lacks'],
    ],
    statuses: {
      [EXIT.failure]: 'no access to the cluster',
      [EXIT.partial]: '--diff: the cluster has other entries, or lacks some',
    },
  })
    .argument('[folder]', 'where the checks are')
    .option('--diff', 'compare with the cluster')
    .addOption(
      new Option('--argocd-namespace <name>', 'where Argo CD is').default(ARGOCD_NAMESPACE),
    )
    .addOption(outputOption(['yaml', 'json']));
  return withConnection(command).action((folder: string | undefined, options: Options) =>
    renderAction(context, folder, options),
  );
}

async function renderAction(
  { io, finish }: Context,
  folder: string | undefined,
  options: Options,
): Promise<void> {
  const [{ configMapOf, differencesOf, entriesOf }, { renderJson, renderYaml }] = await Promise.all(
    [import('../../health/render.ts'), import('../../view/data.ts')],
  );
  const entries = entriesOf(readChecks(io, checksFolder(io, folder)));
  const json = options.output === 'json';
  if (!options.diff) {
    const configMap = configMapOf(entries, options.argocdNamespace);
    io.stdout(json ? renderJson(configMap) : renderYaml(configMap));
    return finish(EXIT.ok);
  }
  const target = await connectTo(io, options, options.argocdNamespace);
  const differences = differencesOf(entries, await target.kinds.settings());
  const { renderDifferences } = await import('../../view/health-text.ts');
  io.stdout(json ? renderJson(differences) : renderDifferences(differences));
  const same = differences.every(({ state }) => state === 'same' || state === 'other');
  finish(same ? EXIT.ok : EXIT.partial);
}
