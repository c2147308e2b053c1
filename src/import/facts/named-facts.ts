// Custom resources that others name: by a field that ends in Ref, by the Gateways of a route, by a label, by `depends-on`.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import {
  annotation,
  at,
  type Fields,
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

/** They have their own evidence. */
const KNOWN = new Set(['secretStoreRef', 'issuerRef', 'secretRef', 'secretKeyRef', 'configMapRef']);
/** By their names, kinds that live in no namespace. */
const WITHOUT_NAMESPACE =
  /^(?:Cluster[A-Z].*|.*Class|ProviderConfig|Composition|EnvironmentConfig)$/;
/** Every Provider of Crossplane has its own, all of them are called `default`. */
const PROVIDER_CONFIG = /^(?:cluster)?providerconfig$/i;
const GATEWAY = 'Gateway.gateway.networking.k8s.io';
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
  const named = [kind, `${kind}.${group}`].flatMap((type): Provided[] => [
    { ...target(type, namespace, name), rank: 'shown' },
    // Whether a custom kind lives in a namespace is not known from an object that names none.
    ...(object.metadata?.namespace === undefined
      ? [
          {
            ...target(type, undefined, name),
            rank: WITHOUT_NAMESPACE.test(kind) ? 'shown' : 'maybe',
          } as Provided,
        ]
      : []),
  ]);
  return [resource, ...named];
}

/** `type`: KIND, or KIND.GROUP. */
function target(type: string, namespace: string | undefined, name: string): Target {
  return { subject: 'named', key: `${type.toLowerCase()} ${namespace ?? '*'}/${name}` };
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
    const types = typesOf(wanted, fields, group);
    needs.push({
      evidence: 'named-resource',
      wants: types.flatMap((type) => [target(type, own, name), target(type, undefined, name)]),
      strength: hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kind} names ${wanted} ${name}`,
      where: whereOf(object),
      guess: true,
    });
  });
  return needs;
}

/** A group that the reference says counts; kinds that several groups have are looked for in that of the holder. */
function typesOf(wanted: string, fields: Fields, group: string): string[] {
  const version = textOf(fields.apiVersion);
  const said =
    textOf(fields.group) ??
    textOf(fields.apiGroup) ??
    (version?.includes('/') ? version.slice(0, version.indexOf('/')) : undefined);
  if (said !== undefined) return [`${wanted}.${said}`];
  if (!PROVIDER_CONFIG.test(wanted)) return [wanted];
  const parts = group.split('.');
  return parts.slice(1).map((_, from) => `${wanted}.${parts.slice(from).join('.')}`);
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
        wants: [target(GATEWAY, namespace, name)],
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
