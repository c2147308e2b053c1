// tiphys explain: why an application waits or failed, down to the root cause.
import { Argument } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import { type CommandSpec, type Context, FILES, outputOption } from '../command.ts';
import { CONNECTION, type ConnectionOptions, connectTo } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import { lookOn } from '../output/look-on.ts';
import type { OutputOptions } from '../output/output.ts';

export const explainCommand: CommandSpec = {
  name: 'explain',
  description:
    'Explain why an application, a stack or the platform is not healthy or not deployed, down to the root cause. Changes nothing.',
  examples: [
    ['tiphys explain temporal', 'explain an application'],
    ['tiphys explain platform', 'explain what keeps the platform from being healthy'],
    ['tiphys explain stack:data -o json', 'explain a stack, as JSON'],
  ],
  statuses: { [EXIT.failure]: 'the cluster is not accessible' },
  arguments: [new Argument('<reference>', 'platform, stack:NAME, app:NAME or NAME')],
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
  const { findWhere } = await import('../../engines/inspect/find-where.ts');
  const where = await findWhere(compiled.platform, target, options.defaults);
  const explained = await explainNode(plan, scope, {
    target,
    clock: io.clock,
    signal: new AbortController().signal,
    concurrency: plan.concurrency,
    refresh: false,
  });
  const result = { ...explained, where };
  io.stdout(
    options.output === 'json'
      ? renderJson(result)
      : renderExplanation(result, lookOn(io, 'stdout')),
  );
  return EXIT.ok;
}
