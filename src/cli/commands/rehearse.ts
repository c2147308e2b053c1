// tiphys rehearse: runs the real client, gate and engine on a simulated cluster, in simulated time.
import { Argument, Option } from 'commander';
import { EXIT, type ExitStatus } from '../../errors.ts';
import { type CommandSpec, type Context, FILES, outputOption, QUIET, SCOPE } from '../command.ts';
import { planFor } from '../input/planning.ts';
import { CONCURRENCY, MODE, STRICT, TIMEOUT } from '../options/run-options.ts';
import { SERVING, type ServeOptions } from '../options/serving-options.ts';
import { SPEED } from '../rehearse/pace.ts';
import { MIDNIGHT, prepareRehearsal, REHEARSING } from '../rehearse/prepare-rehearsal.ts';
import { refuseRunOptions } from '../rehearse/refuse-when-serving.ts';
import type { RehearseOptions } from '../rehearse/rehearse-deploy.ts';

const ACTIONS = ['deploy', 'validate', 'teardown', 'serve'] as const;

export const rehearseCommand: CommandSpec = {
  name: 'rehearse',
  description:
    'Run the real client, gates and engine on a simulated cluster with Argo CD: in seconds instead of hours, with faults if you like. Needs no cluster and no network.',
  examples: [
    [
      'tiphys rehearse deploy',
      'show how long a deployment takes, its critical path and what a failure blocks',
    ],
    ["tiphys rehearse deploy --fault 'app:vault degraded after 2m'", 'inject a fault'],
    ['tiphys rehearse validate', 'show what `tiphys validate` prints after that deployment'],
    ['tiphys rehearse teardown', 'tear it down after that deployment'],
    [
      'tiphys rehearse serve --port 8001',
      'serve the simulated cluster for kubectl and other clients',
    ],
  ],
  statuses: {
    [EXIT.ok]: 'all applications are healthy; teardown: everything deleted',
    [EXIT.failure]: 'refused, or no application is healthy; validate: an application failed',
    [EXIT.partial]:
      'some applications are not healthy; interrupted; hold lost; teardown: objects remain',
    [EXIT.timeout]: 'the run timed out',
  },
  arguments: [
    new Argument('[action]', 'the action to rehearse').choices(ACTIONS).default('deploy'),
  ],
  options: [
    ...FILES,
    SCOPE,
    new Option('--with-dependencies', 'also deploy the dependencies of the scope'),
    new Option('--with-dependents', 'teardown: also delete the dependents of the scope'),
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
  if (action === 'serve') refuseRunOptions(options);
  // A teardown starts from a complete deployment.
  const { scope: _, ...all } = options;
  const planned = await planFor(io, 'deploy', action === 'teardown' ? all : options);
  // Real commands read a served cluster, beside the clock of this machine.
  const start = action === 'serve' ? io.clock.now() : MIDNIGHT;
  const rehearsing = await prepareRehearsal(io, planned.compiled.platform, options, start);
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
