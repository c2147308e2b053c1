// tiphys validate: the truth about the platform. Reads only.
import { Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { type CommandSpec, type Context, FILES, outputOption, SCOPE } from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { PlanningOptions } from '../input/planning.ts';
import { STRICT } from '../options/run-options.ts';
import type { OutputOptions } from '../output/output.ts';
import { untilStopped } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions, OutputOptions {
  readonly refresh: boolean;
  readonly strict?: boolean;
}

export const validateCommand: CommandSpec = {
  name: 'validate',
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
    [EXIT.partial]: 'some gate is shut, or something is unexpected; --strict: order bypassed',
  },
  options: [
    ...FILES,
    SCOPE,
    new Option('--no-refresh', 'do not ask Argo CD to compare with Git first'),
    STRICT,
    outputOption('text', 'json'),
    ...CONNECTION,
  ],
  action: validateAction,
};

async function validateAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  const output = await context.output(options);
  const { plan, target } = await openPlatform(io, 'deploy', options, 'validate', output.warn);
  const { validate } = await import('../../engines/inspect/validate-platform.ts');
  const { concurrency } = plan;
  const { refresh, strict = false } = options;
  const validation = await untilStopped(
    io,
    ({ stop: signal }) =>
      validate(plan, { target, clock: io.clock, signal, concurrency, refresh, strict }),
    { reads: true },
  );
  await output.result(validation);
  return validation.exitStatus as ExitStatus;
}
