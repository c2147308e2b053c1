// Kinds whose definitions no Application has, and what made these definitions: a Crossplane package, an operator of OLM.
import type { Definition } from '../ports/import-reads.ts';
import type { ApplicationMaterial, DefinedKind } from './material.ts';
import { groupOf } from './sort-material.ts';

const DEFINITIONS = 'apiextensions.k8s.io';
const CROSSPLANE_PACKAGES = 'pkg.crossplane.io';
const OLM = 'operators.coreos.com';

export function definedKinds(
  definitions: readonly Definition[],
  applications: readonly ApplicationMaterial[],
): readonly DefinedKind[] {
  const listed = new Set(
    applications
      .flatMap(({ resources }) => resources)
      .filter(({ group, kind }) => group === DEFINITIONS && kind === 'CustomResourceDefinition')
      .map(({ name }) => name),
  );
  const subscriptions = subscriptionsOf(applications);
  return definitions
    .filter(({ name }) => !listed.has(name))
    .map((definition) => {
      const { group, kind } = definition;
      const madeBy = ownerOf(definition) ?? packageOf(definition, subscriptions);
      return { group, kind, ...(madeBy === undefined ? {} : { madeBy }) };
    });
}

/** A revision belongs to its package, which is what an Application has. */
function ownerOf({ owners }: Definition): string | undefined {
  const isRevision = ({ kind }: { readonly kind: string }) => kind.endsWith('Revision');
  const owner = owners.find((one) => !isRevision(one)) ?? owners[0];
  if (!owner) return undefined;
  const { group, kind, name } = owner;
  if (group !== CROSSPLANE_PACKAGES || !isRevision(owner)) return `${group}/${kind}/${name}`;
  const base = name.replace(/-[0-9a-f]{12}$/, '');
  return `${group}/${kind.slice(0, -'Revision'.length)}/${base}`;
}

/** OLM marks what it installs by a label operators.coreos.com/PACKAGE.NAMESPACE. */
function packageOf(
  { labels }: Definition,
  subscriptions: ReadonlyMap<string, string>,
): string | undefined {
  const label = [...labels.keys()].sort().find((key) => key.startsWith(`${OLM}/`));
  if (label === undefined) return undefined;
  const end = label.lastIndexOf('.');
  const name = label.slice(OLM.length + 1, end > OLM.length ? end : undefined);
  return `${OLM}/Subscription/${subscriptions.get(name) ?? name}`;
}

/** A package -> the name of the Subscription to it. */
function subscriptionsOf(
  applications: readonly ApplicationMaterial[],
): ReadonlyMap<string, string> {
  const found = applications
    .flatMap(({ objects }) => objects)
    .filter(({ apiVersion, kind }) => groupOf(apiVersion) === OLM && kind === 'Subscription')
    .map(({ spec, metadata }): [string, string] => {
      const { name } = (spec ?? {}) as { readonly name?: unknown };
      return [String(name), String(metadata?.name)];
    });
  return new Map(found);
}
