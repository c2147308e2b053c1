// tiphys bootstrap: from an empty cluster to one that can be orchestrated. Ansible does it; this tells what it does.
import { type Command, Option } from 'commander';
import { ROLES, type Role } from '../bootstrap/roles.ts';
import { EXIT, type ExitStatus, TiphysError } from '../errors.ts';
import { plural } from '../view/table.ts';
import { type Context, createCommand, outputOption } from './command.ts';
import { type ConnectionOptions, withKubernetes } from './connection.ts';
import { deployAction } from './deploy.ts';
import type { Io } from './io.ts';
import { imageSourceOption, secretsOption } from './phase-zero-options.ts';
import { planFor } from './planning.ts';
import { checkEngine, engineOption, imageOption, type WorkflowOptions } from './run-options.ts';
import type { FileOptions } from './source.ts';

interface Options extends FileOptions, ConnectionOptions, WorkflowOptions {
  readonly only?: Role;
  readonly charts?: string;
  readonly secrets?: string;
  readonly imageSource?: readonly string[];
  readonly check?: boolean;
  readonly rotateToken?: boolean;
  readonly deploy?: boolean;
  readonly quiet?: boolean;
  readonly output: 'text' | 'json';
}

export function bootstrapCommand(context: Context): Command {
  const command = createCommand({
    name: 'bootstrap',
    readsFiles: true,
    description:
      'Install what the platform is brought up with: Argo CD with the health checks and the account of Tiphys, Argo Workflows, Sealed Secrets, the AppProjects and the root Application. Run again, it changes only what differs.',
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
    .option('--charts <folder>', 'charts as NAME-VERSION.tgz (default: they are fetched)')
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
  const { absolute, variablesFor } = await import('./bootstrap-variables.ts');
  const variables = await variablesFor(io, planned, options);
  const unfit = await unfitFor(io, options);
  if (unfit !== undefined) return finish(unfit);
  const { runAnsible } = await import('./run-ansible.ts');
  const report = await runAnsible(io, {
    platform: planned.plan.platform,
    action: 'install',
    roles: options.only ? [options.only] : ROLES,
    playbook: options.only ? `playbooks/${options.only.replaceAll('-', '_')}.yml` : 'site.yml',
    variables,
    kubeconfig: absolute(io, options.kubeconfig),
    context: options.context,
    check: options.check ?? false,
    quiet: options.quiet ?? false,
    json: options.output === 'json',
  });
  if (report.exitStatus !== EXIT.ok || !options.deploy) return finish(report.exitStatus);
  await deployAction(context, { ...options, mode: 'continuous' });
}

/** Phase 0 comes first: the exit status where something is not as it must be. */
async function unfitFor(io: Io, options: Options): Promise<ExitStatus | undefined> {
  const { image: _, ...asked } = options;
  const [{ phaseZero }, { renderPreflight }] = await Promise.all([
    import('./phase-zero.ts'),
    import('../view/preflight-text.ts'),
  ]);
  const report = await phaseZero(io, asked);
  const { pass, warning, failure } = report.counts;
  if (options.output === 'json') io.stdout(`${JSON.stringify(report)}\n`);
  else if (failure > 0) io.stderr(renderPreflight(report));
  else if (!options.quiet) io.stderr(`preflight: ${pass} pass, ${plural(warning, 'warning')}\n`);
  return failure > 0 ? report.exitStatus : undefined;
}

function notWithDeploy(): TiphysError {
  const message = 'The option --deploy does not go with --check or --only.';
  const hint = 'A platform is deployed on a cluster that has everything.';
  return new TiphysError([{ code: 'usage-invalid', message, hint }]);
}
