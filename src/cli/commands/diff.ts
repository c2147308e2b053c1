// tiphys diff: what a deployment would change. Reads only.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import type { Diff } from '../../report/platform-diff.ts';
import {
  type CommandSpec,
  type Context,
  FILES,
  outputOption,
  SCOPE,
  SELECTOR,
} from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { PlanningOptions } from '../input/planning.ts';
import { untilStopped } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions {
  readonly selector?: LabelSelector;
  readonly refresh?: boolean;
  readonly full?: boolean;
  readonly output: 'text' | 'json' | 'name';
}

export const diffCommand: CommandSpec = {
  name: 'diff',
  description:
    "Show what a deployment would change in each application, by Argo CD's own comparison of Git and cluster. Changes nothing.",
  examples: [
    ['tiphys diff', 'all applications, in the order of the plan'],
    ['tiphys diff web --refresh', 'one application, after Argo CD compared it with Git again'],
    ['tiphys diff -o name', 'print one reference per line, for --scope and explain'],
  ],
  statuses: {
    [EXIT.ok]: 'no differences',
    [EXIT.failure]: 'Argo CD could not compare an application, or the cluster is not accessible',
    [EXIT.partial]: 'differences',
  },
  arguments: [new Argument('[reference...]', 'the same as --scope: stack:NAME, app:NAME or NAME')],
  options: [
    ...FILES,
    SCOPE,
    SELECTOR,
    new Option('--refresh', 'ask Argo CD to compare with Git first'),
    new Option('--full', 'show all lines of each object, not only the first 100'),
    outputOption('text', 'json', 'name'),
    ...CONNECTION,
  ],
  action: diffAction,
};

async function diffAction(
  { io }: Context,
  options: Options,
  references: readonly string[],
): Promise<ExitStatus> {
  const scope = [...(options.scope ?? []), ...references];
  const opened = await openPlatform(io, 'deploy', { ...options, scope }, 'validate');
  const { plan, platform, target } = opened;
  const { findWhere } = await import('../../engines/inspect/find-where.ts');
  const where = await findWhere(platform, target, options.defaults);
  const { diffPlatform } = await import('../../engines/inspect/diff-platform.ts');
  const { concurrency } = plan;
  const { refresh = false, selector } = options;
  const diff = await untilStopped(
    io,
    ({ stop: signal }) =>
      diffPlatform(plan, { target, clock: io.clock, signal, concurrency, refresh, selector }),
    { reads: true },
  );
  io.stdout(await textOf({ ...diff, where }, options));
  return diff.exitStatus;
}

async function textOf(diff: Diff, { output, full = false }: Options): Promise<string> {
  if (output === 'json') return (await import('../../view/diff/diff-data.ts')).renderDiffJson(diff);
  if (output === 'text')
    return (await import('../../view/diff/diff-text.ts')).renderDiff(diff, { full });
  const { renderNames } = await import('../../view/status-text.ts');
  return renderNames(diff.nodes.filter(({ state }) => state !== 'same'));
}
