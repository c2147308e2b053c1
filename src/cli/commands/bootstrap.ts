// tiphys bootstrap: prepares an empty cluster. Ansible does the work; this command reports it.
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
    'Install what a deployment needs: Argo CD with health checks and an account for Tiphys, Argo Workflows, Argo Events, Sealed Secrets, the AppProjects and the root Application. Idempotent: a second run changes only what differs.',
  examples: [
    ['tiphys bootstrap', 'install everything, in order'],
    ['tiphys bootstrap --check', 'show what would change; change nothing'],
    ['tiphys bootstrap --only argocd', 'install one role'],
    ['tiphys bootstrap --charts charts/', 'use charts from a folder, for an air-gapped cluster'],
    ['tiphys bootstrap --deploy', 'install, then deploy the platform'],
  ],
  statuses: {
    [EXIT.ok]: 'every role succeeded',
    [EXIT.failure]: 'a prerequisite is not met, or no role succeeded',
    [EXIT.partial]: 'some roles succeeded; or interrupted',
  },
  options: [
    ...FILES,
    new Option('--only <role>', 'install only this role').choices(ROLES),
    CHARTS,
    SECRETS,
    IMAGE_SOURCE,
    new Option('--check', 'show what would change; change nothing'),
    new Option('--rotate-token', 'create a new Argo CD token for Tiphys and revoke the old one'),
    new Option('--deploy', 'deploy the platform afterwards'),
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
    const message = 'The option --deploy cannot be combined with --check or --only.';
    throw usageError(message, 'Run `tiphys bootstrap` first, then `tiphys deploy`.');
  }
  checkEngine(options);
  const planned = await planFor(io, 'deploy', options);
  const output = await context.output(options);
  const exitStatus = await runBootstrap({ io, output }, planned, options);
  if (exitStatus !== EXIT.ok || !options.deploy) return exitStatus;
  return await deployAction(context, { ...options, mode: 'continuous' });
}
