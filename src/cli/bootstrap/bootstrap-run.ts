// A bootstrap as commands run it: phase 0 first, then the roles.
import { ROLES, type Role } from '../../bootstrap/roles.ts';
import type { ExitStatus } from '../../errors.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import type { Planned } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import { noteWhere } from '../output/note-where.ts';
import type { ActionContext } from '../output/output.ts';

export interface BootstrapOptions extends FileOptions, ConnectionOptions {
  readonly only?: Role;
  readonly charts?: string;
  readonly secrets?: string;
  readonly imageSource?: readonly string[];
  readonly check?: boolean;
  readonly rotateToken?: boolean;
}

/** Tells what it does; returns what came of it. */
export async function runBootstrap(
  context: ActionContext,
  planned: Planned,
  options: BootstrapOptions,
): Promise<ExitStatus> {
  const { io } = context;
  const { variablesFor } = await import('./bootstrap-variables.ts');
  const variables = await variablesFor(io, planned, options);
  const unfit = await unfitFor(context, options);
  if (unfit !== undefined) return unfit;
  const { namedCluster } = await import('./named-cluster.ts');
  const where = await namedCluster(io, options, planned.compiled.platform);
  await noteWhere(context.output, planned.plan.platform, where);
  const { runAnsible } = await import('./run-ansible.ts');
  const { exitStatus } = await runAnsible(context, {
    platform: planned.plan.platform,
    action: 'install',
    roles: options.only ? [options.only] : ROLES,
    playbook: options.only ? `playbooks/${options.only.replaceAll('-', '_')}.yml` : 'site.yml',
    variables,
    check: options.check ?? false,
    connection: options,
  });
  return exitStatus;
}

/** The exit status where something is not as it must be. */
async function unfitFor(
  { io, output }: ActionContext,
  options: BootstrapOptions,
): Promise<ExitStatus | undefined> {
  const { runPreflight } = await import('../preflight/run-preflight.ts');
  const report = await runPreflight(io, options);
  output.preflight(report);
  return report.counts.failure > 0 ? report.exitStatus : undefined;
}
