// What the person who asks for a teardown has a say in, as options of every command that plans one.
import { type Command, Option } from 'commander';
import { CAUTIOUS, type Policy, VOLUMES, type Volumes } from '../../inventory/inventory.ts';

export interface PolicyOptions {
  readonly volumes?: Volumes;
  readonly crds?: boolean;
  readonly keepNamespaces?: boolean;
  readonly includeUnexpected?: boolean;
}

/** `before`: what the description begins with. */
export function withPolicy(command: Command, before = ''): Command {
  return command
    .addOption(
      new Option(
        '--volumes <policy>',
        `${before}what becomes of claims of volumes (default: ${CAUTIOUS.volumes})`,
      ).choices(VOLUMES),
    )
    .option('--crds', `${before}also delete the definitions of kinds that are left without objects`)
    .option('--keep-namespaces', `${before}keep the namespaces that Argo CD made`)
    .option(
      '--include-unexpected',
      `${before}also Applications that a parent made and the platform file does not have`,
    );
}

export function policyOf(options: PolicyOptions): Policy {
  const { volumes, crds, keepNamespaces, includeUnexpected } = options;
  return {
    volumes: volumes ?? CAUTIOUS.volumes,
    crds: crds ?? CAUTIOUS.crds,
    keepNamespaces: keepNamespaces ?? CAUTIOUS.keepNamespaces,
    includeUnexpected: includeUnexpected ?? CAUTIOUS.includeUnexpected,
  };
}

/** The first of them that was given, as it is written. */
export function givenPolicy(options: PolicyOptions): string | undefined {
  const { volumes, crds, keepNamespaces, includeUnexpected } = options;
  if (volumes) return '--volumes';
  if (crds) return '--crds';
  if (keepNamespaces) return '--keep-namespaces';
  return includeUnexpected ? '--include-unexpected' : undefined;
}
