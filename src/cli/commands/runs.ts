// tiphys runs: what the cluster remembers of runs.
import { Argument } from 'commander';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import { renderJson, renderJsonLine, renderWarning } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { OutputOptions } from '../output/output.ts';

export const runsCommand: CommandSpec = {
  name: 'runs',
  description: 'List the runs of this platform that the cluster remembers, or show one.',
  examples: [
    ['tiphys runs', 'the last 20'],
    ['tiphys runs 3f9c1a2b4d', 'what happened in one of them'],
    ['tiphys runs 3f9c1a2b4d -o json', 'its events, one a line'],
  ],
  statuses: { [EXIT.failure]: 'no access to the cluster' },
  arguments: [new Argument('[run]', 'id of a run')],
  options: [...FILES, outputOption('text', 'json'), ...CONNECTION],
  action: runsAction,
};

async function runsAction(
  { io }: Context,
  options: FileOptions & ConnectionOptions & OutputOptions,
  run: string | undefined,
): Promise<ExitStatus> {
  const isJson = options.output === 'json';
  const { platform, target } = await openPlatform(io, 'deploy', options, 'validate');
  const { listRuns, readRun } = await import('../../session/record/history.ts');
  const { renderRuns, renderHistory } = await import('../../view/runs-text.ts');
  if (run === undefined) {
    const runs = await listRuns(target.store, platform.name);
    io.stdout(isJson ? renderJson(runs) : renderRuns(runs));
    return EXIT.ok;
  }
  const history = await readRun(target.store, platform.name, run);
  if (!history) throw unknownRun(run);
  const { events, problem } = history;
  io.stdout(isJson ? events.map(renderJsonLine).join('') : renderHistory(events));
  if (problem) io.stderr(renderWarning(problem));
  return EXIT.ok;
}

function unknownRun(run: string): TiphysError {
  const message = `The cluster remembers no run ${quote(run)} of this platform.`;
  return new TiphysError([{ code: 'run-unknown', message, hint: 'See `tiphys runs`.' }]);
}
