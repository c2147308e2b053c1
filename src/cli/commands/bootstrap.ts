// tiphys bootstrap: from an empty cluster to one that can be orchestrated. Ansible does it; this tells what it does.
import { type Command, Option } from 'commander';
import { ROLES } from '../../bootstrap/roles.ts';
import { EXIT, TiphysError } from '../../errors.ts';
import { type BootstrapOptions, runBootstrap } from '../bootstrap/bootstrap-run.ts';
import { type Context, createCommand, outputOption } from '../command.ts';
import { withKubernetes } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import { chartsOption, imageSourceOption, secretsOption } from '../options/preflight-options.ts';
import {
  checkEngine,
  engineOption,
  imageOption,
  type WorkflowOptions,
} from '../options/run-options.ts';
import type { OutputOptions } from '../output/output.ts';
import { deployAction } from './deploy.ts';

interface Options extends BootstrapOptions, WorkflowOptions, OutputOptions {
  readonly deploy?: boolean;
}

export function bootstrapCommand(context: Context): Command {
  const command = createCommand({
    name: 'bootstrap',
    readsFiles: true,
    description:
      'Install what the platform is brought up with: Argo CD with the health checks and the account of Tiphys, Argo Workflows, Argo Events, Sealed Secrets, the AppProjects and the root Application. Run again, it changes only what differs.',
    examples: [
      ['tiphys bootstrap', 'everything, in order'],
      ['tiphys bootstrap --check', 'say what would be changed; change nothing'],
      ['tiphys bootstrap --only argocd', 'one role'],
      [
        'tiphys bootstrap --charts charts/',
        'with charts of a folder, for a cluster without a way out',
      ],
      ['tiphys bootstrap --deploy', 'and then bring the platform up'],
    ],
    statuses: {
      [EXIT.ok]: 'every role is done',
      [EXIT.failure]: 'the cluster or a source is not as it must be, or no role is done',
      [EXIT.partial]: 'some roles are done; interrupted',
    },
  })
    .addOption(new Option('--only <role>', 'this role alone').choices(ROLES))
    .addOption(chartsOption())
    .addOption(secretsOption())
    .addOption(imageSourceOption())
    .option('--check', 'say what would be changed; change nothing')
    .option('--rotate-token', 'give Tiphys a new token, and withdraw the one it has')
    .option('--deploy', 'then deploy the platform')
    .addOption(engineOption())
    .addOption(imageOption())
    .option('--quiet', 'no progress')
    .addOption(outputOption(['text', 'json']));
  return withKubernetes(command).action((options: Options) => bootstrapAction(context, options));
}

async function bootstrapAction(context: Context, options: Options): Promise<void> {
  const { io, finish } = context;
  if (options.deploy && (options.check || options.only)) throw notWithDeploy();
  checkEngine(options);
  const planned = await planFor(io, 'deploy', options);
  const output = await context.output(options);
  const exitStatus = await runBootstrap({ io, output }, planned, options);
  if (exitStatus !== EXIT.ok || !options.deploy) return finish(exitStatus);
  await deployAction(context, { ...options, mode: 'continuous' });
}

function notWithDeploy(): TiphysError {
  const message = 'The option --deploy does not go with --check or --only.';
  const hint = 'A platform is deployed on a cluster that has everything.';
  return new TiphysError([{ code: 'usage-invalid', message, hint }]);
}
