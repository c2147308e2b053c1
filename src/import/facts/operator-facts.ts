// Operators: who reconciles a kind, and whose webhook has to answer before an object of it is admitted.
import { kindName } from '../../health/health-check.ts';
import { hasNothingToWaitFor } from '../../health/sources.ts';
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import { isDefinition, pluralOf } from './kind-facts.ts';
import { at, fieldsOf, isKind, kindOf, listOf, textOf, whereOf } from './object.ts';

const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet'];
const STATUS = '/status';
const CHANGES = new Set(['update', 'patch', '*']);
const AGGREGATED = 'rbac.authorization.k8s.io/aggregate-to-';

export function operatorFacts(subjects: Subjects): Facts {
  const { objects } = subjects;
  const runs = objects.some((object) => isKind(object, 'apps', ...WORKLOADS));
  const resources = runs ? new Set(objects.flatMap(reconciledResources)) : new Set<string>();
  const groups = new Set([...resources].map((name) => name.slice(name.indexOf('.') + 1)));
  const ownsSome = objects.some(isDefinition);
  const provides: Provided[] = [
    ...[...resources].map((key): Provided => ({ subject: 'operator', key, rank: 'shown' })),
    ...objects
      .flatMap(guardedResources)
      .map((key): Provided => ({ subject: 'webhook', key, rank: 'shown' })),
  ];
  return {
    provides,
    needs: [
      ...[...groups].map((group) => ownDefinitions(group, ownsSome)),
      ...objects.flatMap((object) => reconciler(object, subjects)),
    ],
  };
}

/** What writes the status of a kind reconciles it: PLURAL.GROUP. Roles for people have a label. */
function reconciledResources(object: KubernetesObject): string[] {
  if (!isKind(object, 'rbac.authorization.k8s.io', 'ClusterRole', 'Role')) return [];
  const labels = Object.keys(fieldsOf(at(object.metadata, 'labels')));
  if (labels.some((key) => key.startsWith(AGGREGATED))) return [];
  return listOf(object.rules).flatMap((rule) => {
    const { apiGroups, resources, verbs } = fieldsOf(rule);
    if (!listOf(verbs).some((verb) => CHANGES.has(String(verb)))) return [];
    const names = listOf(resources).flatMap((name) => textOf(name) ?? []);
    const plurals = names.flatMap((name) =>
      name.endsWith(STATUS) ? name.slice(0, -STATUS.length) : [],
    );
    const groups = listOf(apiGroups).flatMap(customGroup);
    return groups.flatMap((group) => plurals.map((name) => `${name}.${group}`));
  });
}

/** What is refused while the webhook does not answer: PLURAL.GROUP, or *.GROUP. */
function guardedResources(object: KubernetesObject): string[] {
  const group = 'admissionregistration.k8s.io';
  if (!isKind(object, group, 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'))
    return [];
  return listOf(object.webhooks).flatMap((webhook) => {
    const { failurePolicy, rules } = fieldsOf(webhook);
    if (failurePolicy === 'Ignore') return [];
    return listOf(rules)
      .map(fieldsOf)
      .flatMap((rule) => {
        const { apiGroups, operations, resources } = rule;
        // What only guards changes and removals lets everything in.
        if (!listOf(operations).some((one) => one === 'CREATE' || one === '*')) return [];
        const names = listOf(resources).flatMap((name) => textOf(name) ?? []);
        const plurals = names.flatMap((name) =>
          name === '*/*' ? '*' : name.includes('/') ? [] : name,
        );
        const groups = listOf(apiGroups).flatMap(customGroup);
        return groups.flatMap((group) => plurals.map((name) => `${name}.${group}`));
      });
  });
}

function customGroup(value: unknown): string[] {
  const group = textOf(value) ?? '';
  const isOwn = group === '' || group === '*' || hasNothingToWaitFor({ group, kind: '' });
  return isOwn || !group.includes('.') ? [] : [group];
}

/** What every cluster may have, or comes beside its own kinds, is perhaps only supported. */
function ownDefinitions(group: string, ownsSome: boolean): Needed {
  return {
    evidence: 'operator',
    wants: [{ subject: 'group', key: group }],
    strength: 'soft',
    confidence: ownsSome || group.endsWith('.k8s.io') ? 'medium' : 'high',
    text: `The operator of ${group} needs its definitions`,
    where: group,
    guess: true,
  };
}

function reconciler(object: KubernetesObject, { hasHealth }: Subjects): Needed[] {
  const kind = kindOf(object);
  if (!kind.group.includes('.') || hasNothingToWaitFor(kind)) return [];
  const where = whereOf(object);
  const name = kindName(kind);
  return [
    {
      evidence: 'operator',
      wants: [
        { subject: 'operator', key: pluralOf(kind) },
        { subject: 'operator', key: `*.${kind.group}` },
        { subject: 'operator', key: name },
        { subject: 'operator', key: kind.group },
      ],
      strength: hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kind.kind} needs the operator of ${name}`,
      where,
      guess: true,
    },
    {
      evidence: 'webhook',
      wants: [pluralOf(kind), `*.${kind.group}`].map(
        (key): Target => ({ subject: 'webhook', key }),
      ),
      strength: 'hard',
      confidence: 'high',
      text: `${kind.kind} needs the webhook of ${kind.group}`,
      where,
      guess: true,
    },
  ];
}
