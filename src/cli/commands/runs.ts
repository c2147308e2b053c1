// tiphys runs: what the cluster remembers of runs.
import type { Command } from 'commander';
import { EXIT, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import { renderJsonLine, renderWarning } from '../../view/lines.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
}

export function runsCommand(context: Context): Command {
  const command = createCommand({
    name: 'runs',
    readsFiles: true,
    description: 'List the runs of this platform that the cluster remembers, or show one.',
    examples: [
      ['tiphys runs', 'the last 20'],
      ['tiphys runs 3f9c1a2b4d', 'what happened in one of them'],
      ['tiphys runs 3f9c1a2b4d -o json', 'its events, one a line'],
    ],
    statuses: { [EXIT.failure]: 'no access to the cluster' },
  })
    .argument('[run]', 'id of a run')
    .addOption(outputOption(['text', 'json']));
  return withConnection(command).action((run: string | undefined, options: Options) =>
    runsAction(context, run, options),
  );
}

async function runsAction({ io, finish }: Context, run: string | undefined, options: Options) {
  const { compiled } = await planFor(io, 'deploy', options);
  const { platform } = compiled;
  const target = await connectTo(io, options, platform.argocdNamespace);
  const [{ listRuns, readRun }, { renderRuns, renderHistory }, { renderJson }] = await Promise.all([
    import('../../session/record/history.ts'),
    import('../../view/runs-text.ts'),
    import('../../view/data.ts'),
  ]);
  if (run === undefined) {
    const runs = await listRuns(target.store, platform.name);
    io.stdout(options.output === 'json' ? renderJson(runs) : renderRuns(runs));
    return finish(EXIT.ok);
  }
  const history = await readRun(target.store, platform.name, run);
  if (!history) throw unknownRun(run);
  if (options.output === 'json') {
    for (const event of history.events) io.stdout(renderJsonLine(event));
  } else {
    io.stdout(renderHistory(history.events));
  }
  if (history.problem) io.stderr(renderWarning(history.problem));
  finish(EXIT.ok);
}

function unknownRun(run: string): TiphysError {
  const message = `The cluster remembers no run ${quote(run)} of this platform.`;
  return new TiphysError([{ code: 'run-unknown', message, hint: 'See `tiphys runs`.' }]);
}
