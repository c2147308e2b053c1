// tiphys validate: the truth about the platform. Reads only.
import type { Command } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { type Context, createCommand, outputOption, scopeOption } from '../command.ts';
import { type ConnectionOptions, connectTo, withConnection } from '../input/connection.ts';
import { type PlanningOptions, planFor } from '../input/planning.ts';
import { stopSignals } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions {
  readonly output: 'text' | 'json';
  readonly refresh: boolean;
}

export function validateCommand(context: Context): Command {
  const command = createCommand({
    name: 'validate',
    readsFiles: true,
    description:
      'Judge the gate of every application as it is now: drift, missing and unexpected Applications included. Changes nothing.',
    examples: [
      ['tiphys validate', 'the whole platform, compared with Git now'],
      ['tiphys validate --no-refresh', 'from what Argo CD saw last'],
      ['tiphys validate -o json', 'with the evidence of each gate'],
    ],
    statuses: {
      [EXIT.ok]: 'healthy',
      [EXIT.failure]: 'an application failed (operation failed, error, Unknown), or no access',
      [EXIT.partial]: 'some gate is shut, or something is unexpected',
    },
  })
    .addOption(scopeOption())
    .option('--no-refresh', 'do not ask Argo CD to compare with Git first')
    .addOption(outputOption(['text', 'json']));
  return withConnection(command).action((options: Options) => validateAction(context, options));
}

async function validateAction(context: Context, options: Options): Promise<void> {
  const { io, finish } = context;
  const { compiled, plan } = await planFor(io, 'deploy', options);
  const output = await context.output(options);
  const target = await connectTo(io, options, compiled.platform.argocdNamespace, output.warn);
  const { validate } = await import('../../engines/inspect/validate-platform.ts');
  const signals = stopSignals(io, { reads: true });
  try {
    const validation = await validate(plan, {
      target,
      clock: io.clock,
      signal: signals.stop,
      concurrency: plan.concurrency,
      refresh: options.refresh,
    });
    await output.result(validation);
    finish(validation.exitStatus as ExitStatus);
  } finally {
    signals.close();
  }
}
