// tiphys stop: ends a run that goes on in the cluster.
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import { renderLines } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { FileOptions } from '../input/read-source.ts';

export const stopCommand: CommandSpec = {
  name: 'stop',
  description:
    'End the Workflow that runs this platform: its pods are ended, its report is written, and what is not through its gate stays held. Deploying again goes on with it.',
  examples: [['tiphys stop', 'the Workflow of this platform']],
  statuses: { [EXIT.failure]: 'no access to the cluster, or it did not take the request' },
  options: [...FILES, ...CONNECTION],
  action: stopAction,
};

async function stopAction(
  { io }: Context,
  options: FileOptions & ConnectionOptions,
): Promise<ExitStatus> {
  const { platform, target } = await openPlatform(io, 'deploy', options, 'validate');
  const { runningWorkflow, unfinishedWorkflows } = await import(
    '../../engines/argo-workflows/find-workflows.ts'
  );
  const found = await runningWorkflow(platform, target);
  if (!found) throw nothingRuns(platform.name);
  const { namespace, name, uid } = found;
  const others = (await unfinishedWorkflows(platform, target)).filter((one) => one.uid !== uid);
  const { stopWorkflow } = await import('../../session/writes/workflow-writes.ts');
  const { refusal } = await import('../../session/refused-write.ts');
  const result = await stopWorkflow(target, namespace, name);
  if (result.kind !== 'done') {
    const { message } = result;
    const reason = result.kind === 'refused' ? result.reason : 'conflict';
    throw refusal({ kind: 'refused', reason, message }, 'cluster', `The Workflow ${quote(name)}`);
  }
  io.stdout(
    renderLines([
      `stopping ${namespace}/${name}; see \`tiphys status\``,
      ...others.map((one) => `${one.namespace}/${one.name} waits for it, and starts then`),
    ]),
  );
  return EXIT.ok;
}

function nothingRuns(platform: string): TiphysError {
  const message = `No Workflow runs platform ${quote(platform)}.`;
  const hint = 'A run of the embedded engine is ended where it runs, by Ctrl-C.';
  return new TiphysError([{ code: 'run-unknown', message, hint }]);
}
