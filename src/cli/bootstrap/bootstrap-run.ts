// A bootstrap as commands run it: phase 0 first, then the roles.
import { ROLES, type Role } from '../../bootstrap/roles.ts';
import type { ExitStatus } from '../../errors.ts';
import { renderJsonLine, renderLines } from '../../view/lines.ts';
import { plural } from '../../view/table.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import type { Planned } from '../input/planning.ts';
import type { FileOptions } from '../input/read-source.ts';
import type { Io } from '../io.ts';

export interface BootstrapOptions extends FileOptions, ConnectionOptions {
  readonly only?: Role;
  readonly charts?: string;
  readonly secrets?: string;
  readonly imageSource?: readonly string[];
  readonly check?: boolean;
  readonly rotateToken?: boolean;
  readonly quiet?: boolean;
  readonly output: 'text' | 'json';
}

/** What it tells is printed; what came of it is given back. */
export async function runBootstrap(
  io: Io,
  planned: Planned,
  options: BootstrapOptions,
): Promise<ExitStatus> {
  const { absolute, variablesFor } = await import('./bootstrap-variables.ts');
  const variables = await variablesFor(io, planned, options);
  const unfit = await unfitFor(io, options);
  if (unfit !== undefined) return unfit;
  const { runAnsible } = await import('./run-ansible.ts');
  const { exitStatus } = await runAnsible(io, {
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
  return exitStatus;
}

/** The exit status where something is not as it must be. */
async function unfitFor(io: Io, options: BootstrapOptions): Promise<ExitStatus | undefined> {
  const [{ phaseZero }, { renderPreflight }] = await Promise.all([
    import('../preflight/run-preflight.ts'),
    import('../../view/preflight-text.ts'),
  ]);
  const report = await phaseZero(io, options);
  const { pass, warning, failure } = report.counts;
  if (options.output === 'json') io.stdout(renderJsonLine(report));
  else if (failure > 0) io.stderr(renderPreflight(report));
  else if (!options.quiet)
    io.stderr(renderLines([`preflight: ${pass} pass, ${plural(warning, 'warning')}`]));
  return failure > 0 ? report.exitStatus : undefined;
}
