// Classes that objects name: IngressClass, StorageClass, GatewayClass, PriorityClass, RuntimeClass.
import { lookUp } from '../../model/lookup.ts';
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects } from './fact.ts';
import { annotation, at, isKind, kindOf, listOf, nameOf, textOf, walk, whereOf } from './object.ts';

const CLASSES = new Set([
  ...['IngressClass', 'StorageClass', 'GatewayClass', 'PriorityClass', 'RuntimeClass'],
]);
const EVIDENCE: Readonly<Record<string, string>> = {
  IngressClass: 'ingress-class',
  StorageClass: 'storage-class',
  GatewayClass: 'gateway',
  PriorityClass: 'named-resource',
  RuntimeClass: 'named-resource',
};

export function classFacts(subjects: Subjects): Facts {
  return {
    provides: subjects.objects.flatMap(providedClass),
    needs: subjects.objects.flatMap((object) => usedClasses(object, subjects)),
  };
}

function providedClass(object: KubernetesObject): Provided[] {
  const { kind } = kindOf(object);
  if (!CLASSES.has(kind)) return [];
  return [{ subject: 'class', key: `${kind}/${nameOf(object)}`, rank: 'shown' }];
}

export function classNeed(
  kind: string,
  name: string,
  holder: string,
): Pick<Needed, 'evidence' | 'wants' | 'text'> {
  return {
    evidence: lookUp(EVIDENCE, kind) ?? 'named-resource',
    wants: [{ subject: 'class', key: `${kind}/${name}` }],
    text: `${holder} needs ${kind} ${name}`,
  };
}

function usedClasses(object: KubernetesObject, { hasHealth }: Subjects): Needed[] {
  const { kind } = kindOf(object);
  if (CLASSES.has(kind)) return [];
  const soft = hasHealth(object) ? 'soft' : 'eventual';
  return classNames(object).map(([wanted, name]) => ({
    ...classNeed(wanted, name, kind),
    // The solver of an issuer names a class as well; it makes its Ingress on request.
    strength: wanted === 'IngressClass' && kind !== 'Ingress' ? 'eventual' : soft,
    confidence: 'high',
    where: whereOf(object),
  }));
}

function classNames(object: KubernetesObject): [kind: string, name: string][] {
  const found = new Map<string, [string, string]>();
  const add = (kind: string, name: unknown) => {
    const text = textOf(name);
    if (text) found.set(`${kind}/${text}`, [kind, text]);
  };
  if (isKind(object, 'networking.k8s.io', 'Ingress'))
    add('IngressClass', annotation(object, 'kubernetes.io/ingress.class'));
  walk(object.spec, (key, value) => {
    if (key === 'ingressClassName') add('IngressClass', value);
    if (key === 'storageClassName') add('StorageClass', value);
    if (key === 'gatewayClassName') add('GatewayClass', value);
    if (key === 'runtimeClassName') add('RuntimeClass', value);
    if (key === 'priorityClassName' && !String(value).startsWith('system-'))
      add('PriorityClass', value);
  });
  for (const claim of listOf(at(object, 'spec', 'volumeClaimTemplates')))
    add(
      'StorageClass',
      annotation(claim as KubernetesObject, 'volume.beta.kubernetes.io/storage-class'),
    );
  return [...found.values()];
}
