// tiphys approve: approves or denies a gate that requires approval.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus, usageError } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { OutputOptions } from '../output/output.ts';

interface Options extends FileOptions, ConnectionOptions, OutputOptions {
  readonly run?: string;
  readonly deny?: boolean;
  readonly reason?: string;
}

const LONGEST_REASON = 300;

export const approveCommand: CommandSpec = {
  name: 'approve',
  description:
    'Approve an application or stack whose gate requires approval (`gate.approval` in the platform file), as the user of the kubeconfig. An approval is valid for what is deployed now: a new commit, spec or question needs a new approval.',
  examples: [
    [
      'tiphys approve vault',
      'approve vault, for example after you unsealed it; its dependents can start',
    ],
    [
      'tiphys approve vault --deny --reason "wrong cluster"',
      'deny it: vault fails in the active run and its dependents are skipped',
    ],
    ['tiphys approve stack:data --run 4f1c', 'approve only if this run is active'],
  ],
  statuses: { [EXIT.failure]: 'the cluster is not accessible, or no approval is pending' },
  arguments: [new Argument('<name>', 'stack:NAME, app:NAME or NAME')],
  options: [
    ...FILES,
    new Option('--run <run>', 'fail unless this run is active (default: any run)'),
    new Option('--deny', 'deny: the application fails in this run; the next run asks again'),
    new Option('--reason <text>', 'reason for the denial, shown in the report'),
    outputOption('text', 'json'),
    ...CONNECTION,
  ],
  action: approveAction,
};

async function approveAction({ io }: Context, options: Options, name: string): Promise<ExitStatus> {
  const { run, deny = false, reason } = options;
  checkReason(deny, reason);
  const { compiled, plan } = await planFor(io, 'deploy', options);
  const { parseScope } = await import('../../plan/scope.ts');
  const { targetOf } = await import('../../plan/platform-graph.ts');
  const { decideGate, gateOf } = await import('../../engines/inspect/decide-gate.ts');
  const { renderDecided } = await import('../../view/approve-text.ts');
  const [reference = { kind: 'platform' as const }] = parseScope([name], compiled);
  const id = targetOf(reference);
  gateOf({ plan, id });
  const target = await connectTo(io, options, compiled.platform, 'validate');
  const { requireClusterName } = await import('../../session/cluster-name.ts');
  await requireClusterName(compiled.platform.clusterName, target);
  const { signal } = new AbortController();
  const request = { plan, id, approved: !deny, reason, run, target, clock: io.clock, signal };
  const decided = await decideGate(request);
  io.stdout(options.output === 'json' ? renderJson(decided) : renderDecided(id, decided));
  return EXIT.ok;
}

function checkReason(deny: boolean, reason: string | undefined): void {
  if (reason === undefined) return;
  if (!deny)
    throw usageError('The option --reason requires --deny.', 'Add --deny, or remove --reason.');
  if (reason === '' || reason.length > LONGEST_REASON)
    throw usageError(
      `The reason must have 1 to ${LONGEST_REASON} characters, not ${reason.length}.`,
      reason === '' ? 'Give a reason, or remove --reason.' : 'Shorten the reason.',
    );
}
