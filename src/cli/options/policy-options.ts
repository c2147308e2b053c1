// What the person who asks for a teardown has a say in, as options of every command that plans one.
import { Option } from 'commander';
import { CAUTIOUS, type Policy, VOLUMES, type Volumes } from '../../inventory/inventory.ts';

/** Seconds without progress after which a deletion counts as stuck, unless something else is asked for. */
export const STUCK_AFTER_SECONDS = 300;

export interface PolicyOptions {
  readonly volumes?: Volumes;
  readonly crds?: boolean;
  readonly keepNamespaces?: boolean;
  readonly includeUnexpected?: boolean;
}

/** `before`: what the description begins with. */
export const policyOptions = (before = ''): readonly Option[] => [
  new Option(
    '--volumes <policy>',
    `${before}what to do with PersistentVolumeClaims (default: ${CAUTIOUS.volumes})`,
  ).choices(VOLUMES),
  new Option('--crds', `${before}also delete CustomResourceDefinitions that have no objects left`),
  new Option('--keep-namespaces', `${before}keep the namespaces that Argo CD created`),
  new Option(
    '--include-unexpected',
    `${before}also delete Applications that a parent created but the platform file does not list`,
  ),
];

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
  return policyOptions().find((one) => options[one.attributeName() as keyof PolicyOptions])?.long;
}
