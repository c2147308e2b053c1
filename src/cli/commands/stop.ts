// tiphys stop: ends a run that goes on in the cluster.
import type { Command } from 'commander';
import { EXIT, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import { renderLines } from '../../view/lines.ts';
import { type Context, createCommand } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';

interface Options extends FileOptions, ConnectionOptions {}

export function stopCommand(context: Context): Command {
  const command = createCommand({
    name: 'stop',
    readsFiles: true,
    description:
      'End the Workflow that runs this platform: its pods are ended, its report is written, and what is not through its gate stays held. Deploying again goes on with it.',
    examples: [['tiphys stop', 'the Workflow of this platform']],
    statuses: { [EXIT.failure]: 'no access to the cluster, or it did not take the request' },
  });
  return withConnection(command).action((options: Options) => stopAction(context, options));
}

async function stopAction({ io, finish }: Context, options: Options): Promise<void> {
  const { compiled } = await planFor(io, 'deploy', options);
  const { platform } = compiled;
  const target = await connectTo(io, options, platform.argocdNamespace);
  const { runningWorkflow, unfinishedWorkflows } = await import(
    '../../engines/argo-workflows/find-workflows.ts'
  );
  const found = await runningWorkflow(platform, target);
  if (!found) throw nothingRuns(platform.name);
  const { namespace, name, uid } = found;
  const others = (await unfinishedWorkflows(platform, target)).filter((one) => one.uid !== uid);
  const result = await target.workflows.stop(namespace, name);
  if (result.kind !== 'done') {
    const { refusal } = await import('../../session/refused-write.ts');
    const { message } = result;
    const reason = result.kind === 'refused' ? result.reason : 'conflict';
    throw refusal({ kind: 'refused', reason, message }, 'cluster', `The Workflow ${quote(name)}`);
  }
  io.stdout(renderLines([`stopping ${namespace}/${name}; see \`tiphys status\``]));
  for (const other of others)
    io.stdout(renderLines([`${other.namespace}/${other.name} waits for it, and starts then`]));
  finish(EXIT.ok);
}

function nothingRuns(platform: string): TiphysError {
  const message = `No Workflow runs platform ${quote(platform)}.`;
  const hint = 'A run of the embedded engine is ended where it runs, by Ctrl-C.';
  return new TiphysError([{ code: 'run-unknown', message, hint }]);
}
