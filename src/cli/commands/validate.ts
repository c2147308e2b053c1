// tiphys validate: checks the whole platform. Reads only.
import { Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import type { LabelSelector } from '../../model/label-selector.ts';
import {
  type CommandSpec,
  type Context,
  FILES,
  outputOption,
  SCOPE,
  SELECTOR,
} from '../command.ts';
import { CONNECTION, type ConnectionOptions, openPlatform } from '../input/connection.ts';
import type { PlanningOptions } from '../input/planning.ts';
import { STRICT } from '../options/run-options.ts';
import { untilStopped } from '../run/signals.ts';

interface Options extends PlanningOptions, ConnectionOptions {
  readonly output: 'text' | 'wide' | 'json';
  readonly refresh: boolean;
  readonly strict?: boolean;
  readonly selector?: LabelSelector;
}

export const validateCommand: CommandSpec = {
  name: 'validate',
  description:
    'Check every application now, including drift, missing and unexpected Applications. Changes nothing.',
  examples: [
    ['tiphys validate', 'check the whole platform against Git'],
    ['tiphys validate --no-refresh', 'use the last comparison of Argo CD'],
    ['tiphys validate -o json', 'print the result as JSON, with evidence'],
  ],
  statuses: {
    [EXIT.ok]: 'all applications are healthy',
    [EXIT.failure]:
      'an application failed (failed operation, error, Unknown), or the cluster is not accessible',
    [EXIT.partial]: 'some applications are not healthy or unexpected; --strict: order bypassed',
  },
  options: [
    ...FILES,
    SCOPE,
    SELECTOR,
    new Option('--no-refresh', 'do not ask Argo CD to compare with Git first'),
    STRICT,
    outputOption('text', 'wide', 'json'),
    ...CONNECTION,
  ],
  action: validateAction,
};

async function validateAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  const output = await context.output({
    output: options.output === 'json' ? 'json' : 'text',
    wide: options.output === 'wide',
  });
  const opened = await openPlatform(io, 'deploy', options, 'validate', output.warn);
  const { plan, platform, target } = opened;
  const { findWhere } = await import('../../engines/inspect/find-where.ts');
  const where = await findWhere(platform, target, options.defaults);
  const { validate } = await import('../../engines/inspect/validate-platform.ts');
  const { concurrency } = plan;
  const { refresh, strict = false, selector } = options;
  const validation = await untilStopped(
    io,
    ({ stop: signal }) =>
      validate(plan, { target, clock: io.clock, signal, concurrency, refresh, strict, selector }),
    { reads: true },
  );
  await output.result({ ...validation, where });
  return validation.exitStatus as ExitStatus;
}
