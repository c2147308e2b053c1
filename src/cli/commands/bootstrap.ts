// tiphys bootstrap: from an empty cluster to one that can be orchestrated. Ansible does it; this tells what it does.
import { Option } from 'commander';
import { ROLES } from '../../bootstrap/roles.ts';
import { EXIT, type ExitStatus, usageError } from '../../errors.ts';
import { type BootstrapOptions, runBootstrap } from '../bootstrap/bootstrap-run.ts';
import { type CommandSpec, type Context, FILES, outputOption, QUIET } from '../command.ts';
import { KUBERNETES } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import { CHARTS, IMAGE_SOURCE, SECRETS } from '../options/preflight-options.ts';
import { checkEngine, ENGINE, imageOption, type WorkflowOptions } from '../options/run-options.ts';
import type { OutputOptions } from '../output/output.ts';
import { deployAction } from './deploy.ts';

interface Options extends BootstrapOptions, WorkflowOptions, OutputOptions {
  readonly deploy?: boolean;
}

export const bootstrapCommand: CommandSpec = {
  name: 'bootstrap',
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
  options: [
    ...FILES,
    new Option('--only <role>', 'this role alone').choices(ROLES),
    CHARTS,
    SECRETS,
    IMAGE_SOURCE,
    new Option('--check', 'say what would be changed; change nothing'),
    new Option('--rotate-token', 'give Tiphys a new token, and withdraw the one it has'),
    new Option('--deploy', 'then deploy the platform'),
    ENGINE,
    imageOption(),
    QUIET,
    outputOption('text', 'json'),
    ...KUBERNETES,
  ],
  action: bootstrapAction,
};

async function bootstrapAction(context: Context, options: Options): Promise<ExitStatus> {
  const { io } = context;
  if (options.deploy && (options.check || options.only)) {
    const message = 'The option --deploy does not go with --check or --only.';
    throw usageError(message, 'A platform is deployed on a cluster that has everything.');
  }
  checkEngine(options);
  const planned = await planFor(io, 'deploy', options);
  const output = await context.output(options);
  const exitStatus = await runBootstrap({ io, output }, planned, options);
  if (exitStatus !== EXIT.ok || !options.deploy) return exitStatus;
  return await deployAction(context, { ...options, mode: 'continuous' });
}
