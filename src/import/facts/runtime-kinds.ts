// Kinds that come at run time: a Crossplane Provider installs the definitions of its own groups.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Provided, Subjects } from './fact.ts';
import { at, isKind, textOf } from './object.ts';

/** Under which domains the kinds of Providers are named. */
const DOMAINS = ['upbound.io', 'm.upbound.io', 'crossplane.io', 'm.crossplane.io'];

export function runtimeKindFacts({ objects }: Subjects): Facts {
  return { provides: objects.flatMap(providerGroups), needs: [] };
}

function providerGroups(object: KubernetesObject): Provided[] {
  if (!isKind(object, 'pkg.crossplane.io', 'Provider')) return [];
  const image = textOf(at(object, 'spec', 'package'))
    ?.split('/')
    .at(-1);
  const name = image?.split(/[:@]/)[0]?.replace(/^provider-(?:upjet-|jet-)?/, '');
  if (!name) return [];
  // provider-aws-s3 has the group s3.aws.upbound.io.
  const group = name.split('-').reverse().join('.');
  return DOMAINS.map((domain) => ({
    subject: 'group-suffix',
    key: `${group}.${domain}`,
    rank: 'runtime',
  }));
}
