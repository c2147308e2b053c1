// tiphys teardown --primitives: takes away what bootstrap installed, once the platform is gone.
import { ROLES } from '../../bootstrap/roles.ts';
import { type ExitStatus, usageError } from '../../errors.ts';
import { promptFor } from '../input/confirmation.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import { planFor } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import { givenPolicy, type PolicyOptions } from '../options/policy-options.ts';
import type { ActionContext } from '../output/output.ts';
import { variablesFor } from './bootstrap-variables.ts';

interface Options extends FileOptions, ConnectionOptions, PolicyOptions {
  readonly scope?: readonly string[];
  readonly expect?: string;
  readonly confirm?: readonly string[];
  readonly dryRun?: boolean;
}

const WHAT = `This removes Argo CD, Argo Workflows and Sealed Secrets with their kinds and the namespaces that bootstrap made:
tokens, records of runs and the keys of sealed secrets go with them. It refuses while there are Applications.
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
    await promptFor(
      io,
      [name],
      () => `If it is meant: tiphys teardown --primitives --confirm ${name}`,
    );
  }
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

/** Nothing of a platform's teardown goes with it. */
function checkAlone(options: Options): void {
  const given = [
    ...(options.scope ? ['--scope'] : []),
    ...(options.expect === undefined ? [] : ['--expect']),
    ...[givenPolicy(options) ?? []].flat(),
  ];
  if (given.length === 0) return;
  const hint = 'First take the platform down with it, then the primitives without it.';
  throw usageError(`The option ${given[0]} does not go with --primitives.`, hint);
}
