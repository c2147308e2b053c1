// tiphys teardown --primitives: deletes what bootstrap installed, after the platform is deleted.
import { ROLES } from '../../bootstrap/roles.ts';
import { type ExitStatus, usageError } from '../../errors.ts';
import { promptFor } from '../input/confirmation.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import { givenPolicy, type PolicyOptions } from '../options/policy-options.ts';
import type { ActionContext } from '../output/output.ts';
import { variablesFor } from './bootstrap-variables.ts';
import { namedCluster } from './named-cluster.ts';

interface Options extends FileOptions, ConnectionOptions, PolicyOptions {
  readonly scope?: readonly string[];
  readonly expect?: string;
  readonly confirm?: readonly string[];
  readonly dryRun?: boolean;
}

const WHAT = `This deletes Argo CD, Argo Workflows and Sealed Secrets with their CustomResourceDefinitions and the namespaces that
bootstrap created, including tokens, records of runs and the keys of sealed secrets. It is refused while Applications exist.
`;

export async function teardownPrimitives(
  context: ActionContext,
  options: Options,
): Promise<ExitStatus> {
  const { io } = context;
  checkAlone(options);
  const planned = await planFor(io, 'teardown', { ...options, scope: [] });
  const { platform } = planned.plan;
  const name = `${platform}/primitives`;
  if (!options.dryRun && !options.confirm?.includes(name)) {
    io.stderr(WHAT);
    // Where the cluster cannot be asked, that is said below; without a terminal, what is missing is the confirmation.
    const where = await namedCluster(io, options, planned.compiled.platform).catch(() => undefined);
    const hint = () => `To confirm, run: tiphys teardown --primitives --confirm ${name}`;
    await promptFor(io, [name], { where, hint });
  }
  await namedCluster(io, options, planned.compiled.platform);
  const { runAnsible } = await import('./run-ansible.ts');
  const { exitStatus } = await runAnsible(context, {
    platform,
    action: 'remove',
    roles: [...ROLES].reverse(),
    playbook: 'remove.yml',
    variables: await variablesFor(io, planned, {}),
    check: options.dryRun ?? false,
    connection: options,
  });
  return exitStatus;
}

/** Options of a platform's teardown are refused. */
function checkAlone(options: Options): void {
  const given = [
    ...(options.scope ? ['--scope'] : []),
    ...(options.expect === undefined ? [] : ['--expect']),
    ...[givenPolicy(options) ?? []].flat(),
  ];
  if (given.length === 0) return;
  const hint = 'Tear down the platform with this option first, then the primitives without it.';
  throw usageError(`The option ${given[0]} cannot be combined with --primitives.`, hint);
}
