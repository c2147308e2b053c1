// tiphys status: where the platform and its run stand, at a glance.
import type { Command } from 'commander';
import { EXIT } from '../../errors.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
  readonly watch?: boolean;
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
      [
        'tiphys status --watch',
        'follow the Workflow that runs, to its report; or show that of the last run',
      ],
    ],
    statuses: {
      [EXIT.failure]: 'no access to the cluster',
      [EXIT.partial]: '--watch: as the run ended, or nobody wanted to see more',
      [EXIT.timeout]: "--watch: the run's time was up",
    },
  })
    .option(
      '--watch',
      'follow the Workflow that runs the platform, else show how the last run ended; the exit status is its own',
    )
    .addOption(outputOption(['text', 'json']));
  return withConnection(command).action((options: Options) => statusAction(context, options));
}

async function statusAction(context: Context, options: Options): Promise<void> {
  const { io, finish } = context;
  const { compiled, plan } = await planFor(io, 'deploy', options);
  const target = await connectTo(io, options, compiled.platform.argocdNamespace);
  if (options.watch) {
    const { watchRun } = await import('../run/watch-run.ts');
    const output = await context.output(options);
    const watched = { platform: compiled.platform, plan, target };
    return finish(await watchRun({ io, output }, watched, options));
  }
  const [{ statusOf }, { renderStatus }, { renderJson }] = await Promise.all([
    import('../../engines/inspect/read-status.ts'),
    import('../../view/status-text.ts'),
    import('../../view/data.ts'),
  ]);
  const status = await statusOf(plan, target, io.clock);
  io.stdout(options.output === 'json' ? renderJson(status) : renderStatus(status));
  finish(EXIT.ok);
}
