// tiphys status: the state of the platform and its runs.
import { Option } from 'commander';
import { EXIT, type ExitStatus, usageError } from '../../errors.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import type { Status } from '../../report/platform-status.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption, SELECTOR } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { FileOptions } from '../input/read-source.ts';
import { lookOn } from '../output/look-on.ts';
import { noteWhere } from '../output/note-where.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly watch?: boolean;
  readonly selector?: LabelSelector;
  readonly output: 'text' | 'wide' | 'json' | 'yaml' | 'name';
}

export const statusCommand: CommandSpec = {
  name: 'status',
  description:
    'Show the active run, the result of the last run, applications on hold, and the state of each application in Argo CD. Changes nothing.',
  examples: [
    ['tiphys status', 'show the status'],
    ['tiphys status -o json', 'print the status as JSON'],
    ['tiphys status -o name', 'print one reference per line, for --scope and explain'],
    [
      'tiphys status --watch',
      'follow the active run to its report, or show the report of the last run',
    ],
  ],
  statuses: {
    [EXIT.failure]: 'the cluster is not accessible',
    [EXIT.partial]: '--watch: the run ended with status 2, or you stopped watching',
    [EXIT.timeout]: '--watch: the run timed out',
  },
  options: [
    ...FILES,
    new Option(
      '-w, --watch',
      'follow the active run of either engine, or show the report of the last run; the exit status is that of the run',
    ),
    SELECTOR,
    outputOption('text', 'wide', 'json', 'yaml', 'name'),
    ...CONNECTION,
  ],
  action: statusAction,
};

async function statusAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  const { watch, selector, output: format } = options;
  if (watch && format !== 'text' && format !== 'json')
    throw usageError('--watch prints text or JSON only.', 'Use -o text or -o json with --watch.');
  if (watch && selector)
    throw usageError(
      '--watch follows a whole run, so it cannot be limited by --selector.',
      'Remove one of the two options.',
    );
  const opened = await openPlatform(io, 'deploy', options, 'validate');
  const { platform, plan, target } = opened;
  const { findWhere } = await import('../../engines/inspect/find-where.ts');
  const finding = findWhere(platform, target, options.defaults);
  if (watch) {
    const { watchRun } = await import('../run/watch-run.ts');
    const output = await context.output({ output: format === 'json' ? 'json' : 'text' });
    await noteWhere(output, platform.name, await finding);
    return await watchRun({ io, output }, opened, options);
  }
  const { statusOf } = await import('../../engines/inspect/read-status.ts');
  const [where, read] = await Promise.all([finding, statusOf(plan, target, io.clock, selector)]);
  const status = { ...read, where };
  io.stdout(await textOf(io, status, format));
  return EXIT.ok;
}

async function textOf(
  io: Context['io'],
  status: Status,
  format: Options['output'],
): Promise<string> {
  if (format === 'json') return renderJson(status);
  if (format === 'yaml') return (await import('../../view/data.ts')).renderForeignYaml(status);
  const { renderNames, renderStatus } = await import('../../view/status-text.ts');
  if (format === 'name') return renderNames(status.nodes);
  return renderStatus(status, lookOn(io, 'stdout', { wide: format === 'wide' }));
}
