// tiphys status: where the platform and its run stand, at a glance.
import { Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { OutputOptions } from '../output/output.ts';

interface Options extends FileOptions, ConnectionOptions, OutputOptions {
  readonly watch?: boolean;
}

export const statusCommand: CommandSpec = {
  name: 'status',
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
  options: [
    ...FILES,
    new Option(
      '--watch',
      'follow the Workflow that runs the platform, else show how the last run ended; the exit status is its own',
    ),
    outputOption('text', 'json'),
    ...CONNECTION,
  ],
  action: statusAction,
};

async function statusAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  const opened = await openPlatform(io, 'deploy', options, 'validate');
  if (options.watch) {
    const { watchRun } = await import('../run/watch-run.ts');
    const output = await context.output(options);
    return await watchRun({ io, output }, opened, options);
  }
  const { statusOf } = await import('../../engines/inspect/read-status.ts');
  const { renderStatus } = await import('../../view/status-text.ts');
  const status = await statusOf(opened.plan, opened.target, io.clock);
  io.stdout(options.output === 'json' ? renderJson(status) : renderStatus(status));
  return EXIT.ok;
}
