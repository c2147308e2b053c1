// tiphys runs: the recorded runs of a platform.
import { Argument } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { API_VERSION } from '../../model/api-version.ts';
import { quote } from '../../model/names.ts';
import type { RunSummary } from '../../report/run-summary.ts';
import { renderJson, renderJsonLine, renderWarning } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { FileOptions } from '../input/read-source.ts';
import { lookOn } from '../output/look-on.ts';

export const runsCommand: CommandSpec = {
  name: 'runs',
  description: 'List the recorded runs of this platform, or show one.',
  examples: [
    ['tiphys runs', 'list the last 20 runs'],
    ['tiphys runs 3f9c1a2b4d', 'show what happened in a run'],
    ['tiphys runs 3f9c1a2b4d -o json', 'print its events, one per line'],
  ],
  statuses: { [EXIT.failure]: 'the cluster is not accessible' },
  arguments: [new Argument('[run]', 'ID of a run')],
  options: [...FILES, outputOption('text', 'wide', 'json'), ...CONNECTION],
  action: runsAction,
};

async function runsAction(
  { io }: Context,
  options: FileOptions & ConnectionOptions & { readonly output: 'text' | 'wide' | 'json' },
  run: string | undefined,
): Promise<ExitStatus> {
  const isJson = options.output === 'json';
  const look = lookOn(io, 'stdout', { wide: options.output === 'wide' });
  const { platform, target } = await openPlatform(io, 'deploy', options, 'validate');
  const { listRuns, readRun } = await import('../../session/record/history.ts');
  const { renderRuns, renderHistory } = await import('../../view/runs-text.ts');
  if (run === undefined) {
    const runs = await listRuns(target.store, platform.name);
    io.stdout(isJson ? renderJson(listOf(platform.name, runs)) : renderRuns(runs, look));
    return EXIT.ok;
  }
  const history = await readRun(target.store, platform.name, run);
  if (!history) throw unknownRun(run);
  const { events, problem } = history;
  io.stdout(isJson ? events.map(renderJsonLine).join('') : renderHistory(events, look));
  if (problem) io.stderr(renderWarning(problem, lookOn(io, 'stderr')));
  return EXIT.ok;
}

const listOf = (platform: string, items: readonly RunSummary[]) => ({
  ...{ apiVersion: API_VERSION, kind: 'RunList', platform, items },
});

function unknownRun(run: string): TiphysError {
  const message = `No run ${quote(run)} of this platform is recorded.`;
  return new TiphysError([
    { code: 'run-unknown', message, hint: 'List the recorded runs with `tiphys runs`.' },
  ]);
}
