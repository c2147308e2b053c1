// tiphys explain: why something waits or failed, back to the root cause.
import { Argument } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { OutputOptions } from '../output/output.ts';

export const explainCommand: CommandSpec = {
  name: 'explain',
  description:
    'Say why an application or stack is not Healthy or not deployed, back to the root cause. Changes nothing.',
  examples: [
    ['tiphys explain temporal', 'an application'],
    ['tiphys explain stack:data -o json', 'a stack, for programs'],
  ],
  statuses: { [EXIT.failure]: 'no access to the cluster' },
  arguments: [new Argument('<reference>', 'stack:NAME, app:NAME or just NAME')],
  options: [...FILES, outputOption('text', 'json'), ...CONNECTION],
  action: explainAction,
};

async function explainAction(
  { io }: Context,
  options: FileOptions & ConnectionOptions & OutputOptions,
  reference: string,
): Promise<ExitStatus> {
  const { compiled, plan } = await planFor(io, 'deploy', options);
  const { parseScope } = await import('../../plan/scope.ts');
  const { explainNode } = await import('../../engines/inspect/explain-node.ts');
  const { renderExplanation } = await import('../../view/explain-text.ts');
  const [scope = { kind: 'platform' as const }] = parseScope([reference], compiled);
  const target = await connectTo(io, options, compiled.platform, 'validate');
  const chain = await explainNode(plan, scope, {
    target,
    clock: io.clock,
    signal: new AbortController().signal,
    concurrency: plan.concurrency,
    refresh: false,
  });
  io.stdout(options.output === 'json' ? renderJson(chain) : renderExplanation(chain));
  return EXIT.ok;
}
