// tiphys stop: stops a run that executes in the cluster.
import type { ActiveRun } from '../../engines/inspect/active-run.ts';
import { EXIT, type ExitStatus, TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import { renderLines } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { FileOptions } from '../input/read-source.ts';

export const stopCommand: CommandSpec = {
  name: 'stop',
  description:
    'Stop the Workflow that runs this platform. It writes its report; applications that are not healthy yet stay on hold. Rerun the command of the run to resume it.',
  examples: [['tiphys stop', 'stop the active Workflow of this platform']],
  statuses: { [EXIT.failure]: 'the cluster is not accessible, or it rejected the request' },
  options: [...FILES, ...CONNECTION],
  action: stopAction,
};

async function stopAction(
  { io }: Context,
  options: FileOptions & ConnectionOptions,
): Promise<ExitStatus> {
  const { platform, target } = await openPlatform(io, 'deploy', options, 'validate');
  const { requireClusterName } = await import('../../session/cluster-name.ts');
  await requireClusterName(platform.clusterName, target);
  const { runningWorkflow, unfinishedWorkflows } = await import(
    '../../engines/argo-workflows/find-workflows.ts'
  );
  const { activeRun } = await import('../../engines/inspect/active-run.ts');
  const areThere =
    (await target.workflows.list(platform.workflowsNamespace, new Map())) !== undefined;
  const found = areThere ? await runningWorkflow(platform, target) : undefined;
  if (!found) {
    const active = await activeRun(platform.name, target, io.clock);
    throw active && !active.isByWorkflow ? endedElsewhere(active) : nothingRuns(platform.name);
  }
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
      `stopping Workflow ${namespace}/${name}; check it with \`tiphys status\``,
      ...others.map((one) => `Workflow ${one.namespace}/${one.name} is queued and starts next`),
    ]),
  );
  return EXIT.ok;
}

function endedElsewhere({ run, holder }: ActiveRun): TiphysError {
  const message = `Run ${run} was started by ${quote(holder)}, and is not a Workflow.`;
  const hint = 'To stop it, press Ctrl-C where it runs, or send it SIGINT.';
  return new TiphysError([{ code: 'run-unknown', message, hint }]);
}

function nothingRuns(platform: string): TiphysError {
  const message = `No Workflow of platform ${quote(platform)} is running.`;
  const hint = 'To stop a run of the embedded engine, press Ctrl-C where it runs.';
  return new TiphysError([{ code: 'run-unknown', message, hint }]);
}
