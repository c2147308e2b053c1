// Custom resources that others name: by a field that ends in Ref, by the Gateways of a route, by a label, by `depends-on`.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import {
  annotation,
  at,
  fieldsOf,
  kindOf,
  label,
  listOf,
  nameOf,
  namespaceOf,
  textOf,
  walk,
  whereOf,
} from './object.ts';

/** They have evidence of their own. */
const KNOWN = new Set(['secretStoreRef', 'issuerRef', 'secretRef', 'secretKeyRef', 'configMapRef']);
const ROUTES = new Set(['HTTPRoute', 'GRPCRoute', 'TLSRoute', 'TCPRoute', 'UDPRoute']);

export function namedFacts(subjects: Subjects): Facts {
  return {
    provides: subjects.objects.flatMap((object) => provided(object, subjects)),
    needs: subjects.objects.flatMap((object) => [
      ...byReference(object, subjects),
      ...byRoute(object, subjects),
      ...byLabel(object, subjects),
      ...byAnnotation(object, subjects),
    ]),
  };
}

function provided(object: KubernetesObject, { application }: Subjects): Provided[] {
  const { group, kind } = kindOf(object);
  const name = nameOf(object);
  if (name === '') return [];
  const namespace = namespaceOf(object, application);
  const resource: Provided = {
    subject: 'resource',
    key: `${group}/${kind} ${namespace}/${name}`,
    rank: 'shown',
  };
  if (kind !== 'Gateway' && (!group.includes('.') || group.endsWith('.k8s.io'))) return [resource];
  // Whether a custom kind lives in a namespace is not known from its object: both keys.
  const places = [namespace, '*'];
  return [
    resource,
    ...places.map(
      (place): Provided => ({
        subject: 'named',
        key: `${kind.toLowerCase()} ${place}/${name}`,
        rank: 'shown',
      }),
    ),
  ];
}

function target(kind: string, namespace: string | undefined, name: string): Target {
  return { subject: 'named', key: `${kind.toLowerCase()} ${namespace ?? '*'}/${name}` };
}

function byReference(object: KubernetesObject, { application, hasHealth }: Subjects): Needed[] {
  const { group, kind } = kindOf(object);
  if (!group.includes('.') || group.endsWith('rbac.authorization.k8s.io')) return [];
  const needs: Needed[] = [];
  walk(object.spec, (key, value) => {
    if (!key.endsWith('Ref') || KNOWN.has(key)) return;
    const fields = fieldsOf(value);
    const name = textOf(fields.name);
    const wanted = textOf(fields.kind) ?? key.slice(0, -'Ref'.length);
    if (!name || wanted === '' || /secret|configmap|namespace|serviceaccount/i.test(wanted)) return;
    const own = textOf(fields.namespace) ?? namespaceOf(object, application);
    needs.push({
      evidence: 'named-resource',
      wants: [target(wanted, own, name), target(wanted, undefined, name)],
      strength: hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kind} names ${wanted} ${name}`,
      where: whereOf(object),
      guess: true,
    });
  });
  return needs;
}

function byRoute(object: KubernetesObject, { application, hasHealth }: Subjects): Needed[] {
  const { kind } = kindOf(object);
  if (!ROUTES.has(kind)) return [];
  return listOf(at(object, 'spec', 'parentRefs')).flatMap((value) => {
    const fields = fieldsOf(value);
    const name = textOf(fields.name);
    if (!name || (fields.kind !== undefined && fields.kind !== 'Gateway')) return [];
    const namespace = textOf(fields.namespace) ?? namespaceOf(object, application);
    return [
      {
        evidence: 'gateway',
        wants: [target('Gateway', namespace, name)],
        strength: hasHealth(object) ? ('soft' as const) : ('eventual' as const),
        confidence: 'high' as const,
        text: `${kind} needs Gateway ${name}`,
        where: whereOf(object),
      },
    ];
  });
}

/** Strimzi's resources name their cluster by a label. */
function byLabel(object: KubernetesObject, { application, hasHealth }: Subjects): Needed[] {
  const name = label(object, 'strimzi.io/cluster');
  const { group, kind } = kindOf(object);
  if (!name || group !== 'kafka.strimzi.io' || kind === 'Kafka') return [];
  return [
    {
      evidence: 'named-resource',
      wants: [target('Kafka', namespaceOf(object, application), name)],
      strength: hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kind} needs Kafka ${name}`,
      where: whereOf(object),
    },
  ];
}

/** GROUP/namespaces/NAMESPACE/KIND/NAME or GROUP/KIND/NAME, with commas between them. */
function byAnnotation(object: KubernetesObject, _: Subjects): Needed[] {
  const said = annotation(object, 'config.kubernetes.io/depends-on') ?? '';
  return said.split(',').flatMap((one) => {
    const parts = one.trim().split('/');
    const scoped = parts.length === 5 && parts[1] === 'namespaces';
    if (!scoped && parts.length !== 3) return [];
    const [group = '', kind = '', name = ''] = scoped ? [parts[0], parts[3], parts[4]] : parts;
    const wants: Target[] = scoped
      ? [{ subject: 'resource', key: `${group}/${kind} ${parts[2]}/${name}` }]
      : [target(kind, undefined, name)];
    return [
      {
        evidence: 'depends-on',
        wants,
        strength: 'soft' as const,
        confidence: 'high' as const,
        text: `${kindOf(object).kind} is annotated to depend on ${kind} ${name}`,
        where: whereOf(object),
      },
    ];
  });
}
