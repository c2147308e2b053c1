// Issuers of cert-manager: by the field of a Certificate, and by the annotation of an Ingress or a Gateway.
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import {
  annotation,
  at,
  fieldsOf,
  isKind,
  kindOf,
  listOf,
  nameOf,
  namespaceOf,
  textOf,
  whereOf,
} from './object.ts';

const GROUP = 'cert-manager.io';

export function issuerFacts(subjects: Subjects): Facts {
  return {
    provides: subjects.objects.flatMap((object) => issuer(object, subjects)),
    needs: subjects.objects.flatMap((object) => [
      ...byField(object, subjects),
      ...byAnnotation(object, subjects),
    ]),
  };
}

function issuer(object: KubernetesObject, { application }: Subjects): Provided[] {
  if (!isKind(object, GROUP, 'Issuer', 'ClusterIssuer')) return [];
  const place = kindOf(object).kind === 'Issuer' ? namespaceOf(object, application) : '*';
  return [{ subject: 'issuer', key: `${place}/${nameOf(object)}`, rank: 'shown' }];
}

function issuerTarget(kind: string, namespace: string, name: string): Target {
  return { subject: 'issuer', key: `${kind === 'ClusterIssuer' ? '*' : namespace}/${name}` };
}

function byField(object: KubernetesObject, { application, hasHealth }: Subjects): Needed[] {
  if (!isKind(object, GROUP, 'Certificate', 'CertificateRequest')) return [];
  const { name, kind, group } = fieldsOf(at(object, 'spec', 'issuerRef'));
  const issuerName = textOf(name);
  if (!issuerName) return [];
  const type = textOf(kind) ?? 'Issuer';
  const namespace = namespaceOf(object, application);
  const foreign = textOf(group) !== undefined && group !== GROUP;
  const wants: Target = foreign
    ? { subject: 'named', key: `${type.toLowerCase()} ${namespace}/${issuerName}` }
    : issuerTarget(type, namespace, issuerName);
  return [
    {
      evidence: 'issuer',
      wants: [wants],
      strength: hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kindOf(object).kind} needs ${type} ${issuerName}`,
      where: whereOf(object),
    },
  ];
}

/** The issuer that annotations name, or undefined. */
export function annotatedIssuer(annotations: unknown, namespace: string): Target | undefined {
  const fields = fieldsOf(annotations);
  const cluster = textOf(fields[`${GROUP}/cluster-issuer`]);
  if (cluster) return issuerTarget('ClusterIssuer', namespace, cluster);
  const own = textOf(fields[`${GROUP}/issuer`]);
  if (!own || fields[`${GROUP}/issuer-group`]) return undefined;
  return issuerTarget('Issuer', namespace, own);
}

function byAnnotation(object: KubernetesObject, subjects: Subjects): Needed[] {
  const isIngress = isKind(object, 'networking.k8s.io', 'Ingress');
  if (!isIngress && !isKind(object, 'gateway.networking.k8s.io', 'Gateway')) return [];
  const namespace = namespaceOf(object, subjects.application);
  const target = annotatedIssuer(at(object.metadata, 'annotations'), namespace);
  if (!target || listOf(at(object, 'spec', isIngress ? 'tls' : 'listeners')).length === 0)
    return [];
  return [
    {
      evidence: 'issuer-annotation',
      wants: [target],
      // An Ingress is Healthy once it has an address; a listener without its certificate is not.
      strength: isIngress ? 'eventual' : 'soft',
      confidence: 'high',
      text: `${kindOf(object).kind} asks issuer ${target.key.replace('*/', '')} for its certificate`,
      where: whereOf(object),
    },
  ];
}

/** Secrets that cert-manager makes for an Ingress, with the issuer: NAMESPACE/NAME. */
export function annotatedSecrets({ objects, application }: Subjects): Map<string, Target> {
  const found = new Map<string, Target>();
  for (const object of objects) {
    if (!isKind(object, 'networking.k8s.io', 'Ingress')) continue;
    if (!annotation(object, `${GROUP}/cluster-issuer`) && !annotation(object, `${GROUP}/issuer`))
      continue;
    const namespace = namespaceOf(object, application);
    const target = annotatedIssuer(at(object.metadata, 'annotations'), namespace);
    for (const entry of listOf(at(object, 'spec', 'tls'))) {
      const name = textOf(fieldsOf(entry).secretName);
      if (target && name) found.set(`${namespace}/${name}`, target);
    }
  }
  return found;
}
