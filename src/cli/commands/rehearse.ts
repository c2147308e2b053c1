// tiphys rehearse: the real client, gate and engine on a simulated cluster, in its own time.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { type CommandSpec, type Context, FILES, outputOption, QUIET, SCOPE } from '../command.ts';
import { planFor } from '../input/planning.ts';
import { CONCURRENCY, MODE, STRICT, TIMEOUT } from '../options/run-options.ts';
import { SERVING, type ServeOptions } from '../options/serving-options.ts';
import { SPEED } from '../rehearse/pace.ts';
import { prepareRehearsal, REHEARSING } from '../rehearse/prepare-rehearsal.ts';
import type { RehearseOptions } from '../rehearse/rehearse-deploy.ts';

const ACTIONS = ['deploy', 'validate', 'teardown', 'serve'] as const;

export const rehearseCommand: CommandSpec = {
  name: 'rehearse',
  description:
    'Try the platform on a simulated cluster with Argo CD: the real client, gates and engine, with faults, in seconds instead of hours. Needs no cluster and no network.',
  examples: [
    ['tiphys rehearse deploy', 'how long it takes, what decides that, what a failure blocks'],
    ["tiphys rehearse deploy --fault 'app:vault degraded after 2m'", 'a bad day'],
    ['tiphys rehearse validate', 'what `tiphys validate` says after such a deployment'],
    ['tiphys rehearse teardown', 'the way back after such a deployment'],
    ['tiphys rehearse serve --port 8001', 'the simulated cluster for kubectl and others'],
  ],
  statuses: {
    [EXIT.ok]: 'all Healthy; teardown: clean',
    [EXIT.failure]: 'refused, or nothing became Healthy; validate: an application failed',
    [EXIT.partial]: 'some Healthy, some not; interrupted; hold lost; teardown: something is left',
    [EXIT.timeout]: "the run's time was up",
  },
  arguments: [new Argument('[action]', 'what to rehearse').choices(ACTIONS).default('deploy')],
  options: [
    ...FILES,
    SCOPE,
    new Option('--with-dependencies', 'take along what the scope depends on'),
    new Option('--with-dependents', 'teardown: take along what depends on the scope'),
    CONCURRENCY,
    TIMEOUT,
    MODE,
    STRICT,
    ...REHEARSING,
    SPEED,
    ...SERVING,
    QUIET,
    outputOption('text', 'json'),
  ],
  action: rehearseAction,
};

async function rehearseAction(
  { io }: Context,
  options: RehearseOptions & ServeOptions,
  action: (typeof ACTIONS)[number],
): Promise<ExitStatus> {
  // Where something is to be taken down, everything is deployed before.
  const { scope: _, ...all } = options;
  const planned = await planFor(io, 'deploy', action === 'teardown' ? all : options);
  const rehearsing = await prepareRehearsal(io, planned.compiled.platform, options);
  if (action === 'serve') {
    const { serveAction } = await import('../rehearse/rehearse-serve.ts');
    return await serveAction(io, options, rehearsing);
  }
  if (action === 'teardown') {
    const { teardownAction } = await import('../rehearse/rehearse-teardown.ts');
    return await teardownAction({ io, options, planned, rehearsing });
  }
  const { deployAction, validateAction } = await import('../rehearse/rehearse-deploy.ts');
  const run = action === 'deploy' ? deployAction : validateAction;
  return await run({ io, options, planned, rehearsing });
}
