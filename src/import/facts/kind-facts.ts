// Kinds: a CustomResourceDefinition provides one, and every object of a kind that Kubernetes does not bring along needs its own.
import { type Kind, kindName } from '../../health/health-check.ts';
import { hasNothingToWaitFor } from '../../health/sources.ts';
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import { at, isKind, kindOf, nameOf, textOf, whereOf } from './object.ts';
import { isOpenShiftGroup } from './openshift.ts';

export function kindFacts({ objects }: Subjects): Facts {
  const definitions = objects.filter(isDefinition);
  const crdsOnly = definitions.length > 0 && definitions.length * 10 >= objects.length * 9;
  const provides = [
    ...definitions.flatMap((object) => definedKind(object, crdsOnly)),
    ...objects.flatMap(servedGroup),
  ];
  return { provides, needs: objects.flatMap(usedKind) };
}

export function isDefinition(object: KubernetesObject): boolean {
  return isKind(object, 'apiextensions.k8s.io', 'CustomResourceDefinition');
}

function definedKind(object: KubernetesObject, crdsOnly: boolean): Provided[] {
  const plural = nameOf(object);
  const group = textOf(at(object, 'spec', 'group')) ?? plural.slice(plural.indexOf('.') + 1);
  const kind = textOf(at(object, 'spec', 'names', 'kind'));
  if (group === '') return [];
  return [
    ...(kind ? [{ subject: 'kind', key: kindName({ group, kind }), rank: 'shown', crdsOnly }] : []),
    { subject: 'plural', key: plural, rank: 'shown', crdsOnly },
    // Operators usually make the other kinds of their group.
    { subject: 'group', key: group, rank: 'maybe', crdsOnly },
  ] as Provided[];
}

/** Its own API server, which no definition shows. */
function servedGroup(object: KubernetesObject): Provided[] {
  if (!isKind(object, 'apiregistration.k8s.io', 'APIService')) return [];
  const group = textOf(at(object, 'spec', 'group'));
  if (!group || !at(object, 'spec', 'service')) return [];
  return [{ subject: 'group', key: group, rank: 'shown' }];
}

function usedKind(object: KubernetesObject): Needed[] {
  const kind = kindOf(object);
  if (kind.kind === '' || hasNothingToWaitFor(kind)) return [];
  const text = `${kind.kind} needs kind ${kindName(kind)}`;
  const need = { ...kindNeed(kind), text, where: whereOf(object) };
  // Where it is OpenShift, its own kinds are there.
  const guess = isOpenShiftGroup(kind.group) ? { guess: true } : {};
  return [{ ...need, evidence: 'crd', confidence: 'high', ...guess }];
}

/** The same for everything that turns out to need a kind. */
export function kindNeed(kind: Kind): Pick<Needed, 'wants' | 'strength'> {
  return { wants: kindTargets(kind), strength: 'hard' };
}

function kindTargets({ group, kind }: Kind): Target[] {
  const parts = group.split('.');
  const suffixes = parts.slice(0, -2).map((_, from) => parts.slice(from).join('.'));
  return [
    { subject: 'kind', key: kindName({ group, kind }) },
    { subject: 'plural', key: pluralOf({ group, kind }) },
    ...suffixes.map((key): Target => ({ subject: 'group-suffix', key })),
    { subject: 'group', key: group },
  ];
}

/** PLURAL.GROUP, as the tools that generate definitions make it. */
export function pluralOf({ group, kind }: Kind): string {
  const word = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es.${group}`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies.${group}`;
  return `${word}s.${group}`;
}
