// Kinds that come at run time: what operators, packages and templates install once they are there.
import { kindName } from '../../health/health-check.ts';
import { lookUp } from '../../model/lookup.ts';
import { knownChart } from '../catalogue.ts';
import type { KubernetesObject } from '../material.ts';
import { OLM_PACKAGES } from '../olm-packages.ts';
import { MADE_BY_OBJECTS } from '../runtime-catalogue.ts';
import type { Facts, Provided, Subjects } from './fact.ts';
import { at, kindOf, listOf, textOf } from './object.ts';

/** Under which domains the kinds of Providers are named. */
const DOMAINS = ['upbound.io', 'm.upbound.io', 'crossplane.io', 'm.crossplane.io'];

export function runtimeKindFacts({ objects }: Subjects): Facts {
  return { provides: objects.flatMap(made), needs: [] };
}

function made(object: KubernetesObject): Provided[] {
  const name = kindName(kindOf(object));
  const targets = [
    ...(lookUp(MADE_BY_OBJECTS, name) ?? []).map(kindOrGroup),
    ...(lookUp(MAKERS, name)?.(object) ?? []),
  ];
  return targets.map((target): Provided => ({ ...target, rank: 'runtime' }));
}

type Made = Pick<Provided, 'subject' | 'key'>;

const kindOrGroup = (key: string): Made => ({
  subject: key.includes('/') ? 'kind' : 'group',
  key,
});

const MAKERS: Readonly<Record<string, (object: KubernetesObject) => readonly Made[]>> = {
  'pkg.crossplane.io/Provider': providerGroups,
  'apiextensions.crossplane.io/CompositeResourceDefinition': (object) =>
    ['names', 'claimNames'].flatMap((names) =>
      kindIn(at(object, 'spec', 'group'), at(object, 'spec', names, 'kind')),
    ),
  'templates.gatekeeper.sh/ConstraintTemplate': (object) =>
    kindIn('constraints.gatekeeper.sh', at(object, 'spec', 'crd', 'spec', 'names', 'kind')),
  'kro.run/ResourceGraphDefinition': (object) =>
    kindIn(
      at(object, 'spec', 'schema', 'group') ?? 'kro.run',
      at(object, 'spec', 'schema', 'kind'),
    ),
  'operators.coreos.com/Subscription': (object) => ofPackage(at(object, 'spec', 'name')),
  'operators.coreos.com/ClusterServiceVersion': ownedKinds,
  'olm.operatorframework.io/ClusterExtension': (object) =>
    ofPackage(at(object, 'spec', 'source', 'catalog', 'packageName')),
  'helm.toolkit.fluxcd.io/HelmRelease': (object) =>
    ofChart(at(object, 'spec', 'chart', 'spec', 'chart')),
  'helm.cattle.io/HelmChart': (object) => ofChart(at(object, 'spec', 'chart')),
};

function kindIn(group: unknown, kind: unknown): Made[] {
  const [inGroup, named] = [textOf(group), textOf(kind)];
  return inGroup && named ? [{ subject: 'kind', key: `${inGroup}/${named}` }] : [];
}

const ofPackage = (name: unknown): Made[] =>
  (lookUp(OLM_PACKAGES, textOf(name) ?? '') ?? []).map(kindOrGroup);

function ownedKinds(object: KubernetesObject): Made[] {
  const owned = listOf(at(object, 'spec', 'customresourcedefinitions', 'owned'));
  return owned.flatMap((one) => {
    const plural = textOf(at(one, 'name')) ?? '';
    return kindIn(plural.slice(plural.indexOf('.') + 1), at(one, 'kind'));
  });
}

/** A chart that another controller installs. */
function ofChart(chart: unknown): Made[] {
  const known = knownChart(textOf(chart)?.split('/').at(-1) ?? '');
  return known?.definesByValue ? [] : (known?.defines ?? []).map(kindOrGroup);
}

function providerGroups(object: KubernetesObject): Made[] {
  const image = textOf(at(object, 'spec', 'package'))
    ?.split('/')
    .at(-1);
  const name = image?.split(/[:@]/)[0]?.replace(/^provider-(?:upjet-|jet-)?/, '');
  if (!name) return [];
  // provider-aws-s3 has the group s3.aws.upbound.io, and brings along provider-family-aws, which has aws.upbound.io.
  const isFamily = name.startsWith('family-');
  const [family = '', ...parts] = name.replace(/^family-/, '').split('-');
  const group = [...parts.reverse(), family].join('.');
  return DOMAINS.flatMap((domain): Made[] => [
    { subject: 'group', key: `${family}.${domain}` },
    ...(isFamily ? [] : [{ subject: 'group-suffix', key: `${group}.${domain}` } as const]),
  ]);
}
