// tiphys rehearse: the real client, gate and engine on a simulated cluster, in its own time.
import { Argument, type Command } from 'commander';
import { EXIT } from '../../errors.ts';
import { type Context, createCommand, outputOption, scopeOption } from '../command.ts';
import { planFor } from '../input/planning.ts';
import { concurrencyOption, modeOption, timeoutOption } from '../options/run-options.ts';
import { type ServeOptions, servingOptions } from '../options/serving-options.ts';
import { speedOption } from '../rehearse/pace.ts';
import { prepareRehearsal, rehearsingOptions } from '../rehearse/prepare-rehearsal.ts';
import type { RehearseOptions } from '../rehearse/rehearse-deploy.ts';

const ACTIONS = ['deploy', 'validate', 'teardown', 'serve'] as const;

export function rehearseCommand(context: Context): Command {
  const command = createCommand({
    name: 'rehearse',
    readsFiles: true,
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
  })
    .addArgument(new Argument('[action]', 'what to rehearse').choices(ACTIONS).default('deploy'))
    .addOption(scopeOption())
    .option('--with-dependencies', 'take along what the scope depends on')
    .option('--with-dependents', 'teardown: take along what depends on the scope')
    .addOption(concurrencyOption())
    .addOption(timeoutOption())
    .addOption(modeOption());
  const own = [...rehearsingOptions(), speedOption(), ...servingOptions()];
  for (const option of own) command.addOption(option);
  return command
    .option('--quiet', 'no progress')
    .addOption(outputOption(['text', 'json']))
    .action((action: (typeof ACTIONS)[number], options: RehearseOptions & ServeOptions) =>
      act(context, action, options),
    );
}

async function act(
  context: Context,
  action: (typeof ACTIONS)[number],
  options: RehearseOptions & ServeOptions,
): Promise<void> {
  // Where something is to be taken down, everything is deployed before.
  const { scope: _, ...all } = options;
  const planned = await planFor(context.io, 'deploy', action === 'teardown' ? all : options);
  const rehearsing = await prepareRehearsal(context.io, planned.compiled.platform, options);
  if (action === 'serve') {
    const { serveAction } = await import('../rehearse/rehearse-serve.ts');
    return await serveAction(context, options, rehearsing);
  }
  if (action === 'teardown') {
    const { teardownAction } = await import('../rehearse/rehearse-teardown.ts');
    return await teardownAction(context, options, planned, rehearsing);
  }
  const { deployAction, validateAction } = await import('../rehearse/rehearse-deploy.ts');
  const run = action === 'deploy' ? deployAction : validateAction;
  await run(context, options, planned, rehearsing);
}
