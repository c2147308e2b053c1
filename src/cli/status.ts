// tiphys status: where the platform and its run stand, at a glance.
import type { Command } from 'commander';
import { EXIT } from '../errors.ts';
import { type Context, createCommand, outputOption } from './command.ts';
import { type ConnectionOptions, connectTo, withConnection } from './connection.ts';
import { planFor } from './planning.ts';
import type { FileOptions } from './source.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
}

export function statusCommand(context: Context): Command {
  const command = createCommand({
    name: 'status',
    readsFiles: true,
    description:
      'Show whether a run is active, what came of the last one, what is held, and each application as Argo CD saw it last. Changes nothing.',
    examples: [
      ['tiphys status', 'at a glance'],
      ['tiphys status -o json', 'for programs'],
    ],
    statuses: { [EXIT.failure]: 'no access to the cluster' },
  }).addOption(outputOption(['text', 'json']));
  return withConnection(command).action((options: Options) => statusAction(context, options));
}

async function statusAction({ io, finish }: Context, options: Options): Promise<void> {
  const { compiled, plan } = await planFor(io, 'deploy', options);
  const target = await connectTo(io, options, compiled.platform.argocdNamespace);
  const [{ statusOf }, { renderStatus }, { renderJson }] = await Promise.all([
    import('../engines/status.ts'),
    import('../view/status-text.ts'),
    import('../view/data.ts'),
  ]);
  const status = await statusOf(plan, target, io.clock);
  io.stdout(options.output === 'json' ? renderJson(status) : renderStatus(status));
  finish(EXIT.ok);
}
