// tiphys explain: why something waits or failed, back to the root cause.
import type { Command } from 'commander';
import { EXIT } from '../../errors.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';

interface Options extends FileOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
}

export function explainCommand(context: Context): Command {
  const command = createCommand({
    name: 'explain',
    readsFiles: true,
    description:
      'Say why an application or stack is not Healthy or not deployed, back to the root cause. Changes nothing.',
    examples: [
      ['tiphys explain temporal', 'an application'],
      ['tiphys explain stack:data -o json', 'a stack, for programs'],
    ],
    statuses: { [EXIT.failure]: 'no access to the cluster' },
  })
    .argument('<reference>', 'stack:NAME, app:NAME or just NAME')
    .addOption(outputOption(['text', 'json']));
  return withConnection(command).action((reference: string, options: Options) =>
    explainAction(context, reference, options),
  );
}

async function explainAction({ io, finish }: Context, reference: string, options: Options) {
  const { compiled, plan } = await planFor(io, 'deploy', options);
  const [{ parseScope }, { explainNode }, { renderJson }, { renderExplanation }] =
    await Promise.all([
      import('../../plan/scope.ts'),
      import('../../engines/inspect/explain-node.ts'),
      import('../../view/data.ts'),
      import('../../view/explain-text.ts'),
    ]);
  const [scope = { kind: 'platform' as const }] = parseScope([reference], compiled);
  const target = await connectTo(io, options, compiled.platform.argocdNamespace);
  const chain = await explainNode(plan, scope, {
    target,
    clock: io.clock,
    signal: new AbortController().signal,
    concurrency: plan.concurrency,
    refresh: false,
  });
  io.stdout(options.output === 'json' ? renderJson(chain) : renderExplanation(chain));
  finish(EXIT.ok);
}
