// Secrets and ConfigMaps: who makes them, directly or through an operator, and what mounts or reads them.

import { kindName } from '../../health/health-check.ts';
import { lookUp } from '../../model/lookup.ts';
import type { KubernetesObject } from '../material.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import { annotatedSecrets } from './issuer-facts.ts';
import {
  at,
  fieldsOf,
  kindOf,
  listOf,
  nameOf,
  namespaceOf,
  textOf,
  walk,
  whereOf,
} from './object.ts';

/** The names of the Secrets that an object of a kind leads to. */
const MAKERS: Readonly<Record<string, (object: KubernetesObject) => readonly unknown[]>> = {
  Secret: (object) => [nameOf(object)],
  'external-secrets.io/ExternalSecret': (object) => [
    textOf(at(object, 'spec', 'target', 'name')) ?? nameOf(object),
  ],
  'bitnami.com/SealedSecret': (object) => [
    textOf(at(object, 'spec', 'template', 'metadata', 'name')) ?? nameOf(object),
  ],
  'cert-manager.io/Certificate': (object) => [at(object, 'spec', 'secretName')],
  'postgresql.cnpg.io/Cluster': (object) =>
    ['app', 'ca', 'superuser'].map((user) => `${nameOf(object)}-${user}`),
  'kafka.strimzi.io/KafkaUser': (object) => [nameOf(object)],
  'kafka.strimzi.io/Kafka': (object) => [`${nameOf(object)}-cluster-ca-cert`],
  'onepassword.com/OnePasswordItem': (object) => [nameOf(object)],
  'secrets.hashicorp.com/VaultStaticSecret': (object) => [
    at(object, 'spec', 'destination', 'name'),
  ],
  'secrets.infisical.com/InfisicalSecret': (object) => [
    at(object, 'spec', 'managedSecretReference', 'secretName'),
  ],
  'acid.zalan.do/postgresql': (object) =>
    Object.keys(fieldsOf(at(object, 'spec', 'users'))).map(
      (user) =>
        `${user.replaceAll('_', '-')}.${nameOf(object)}.credentials.postgresql.acid.zalan.do`,
    ),
};

/** Fields that name a Secret which the holder writes, or that nothing waits for. */
const WRITTEN = new Set(['writeConnectionSecretToRef', 'privateKeySecretRef', 'tls']);
/** They lead to Secrets themselves, or have their own evidence. */
const NO_READERS = new Set(['ExternalSecret', 'Ingress', 'Secret', 'SealedSecret']);
const SECRET_FIELDS = new Set(['secretRef', 'secretKeyRef', 'secret']);
const CONFIG_FIELDS = new Set(['configMapRef', 'configMapKeyRef', 'configMap']);

export function secretFacts(subjects: Subjects): Facts {
  const issued = annotatedSecrets(subjects);
  return {
    provides: subjects.objects.flatMap((object) => made(object, subjects)),
    needs: subjects.objects.flatMap((object) => read(object, subjects, issued)),
  };
}

function made(object: KubernetesObject, { application }: Subjects): Provided[] {
  const namespace = namespaceOf(object, application);
  const provided = (subject: 'secret' | 'config-map', name: string): Provided => ({
    subject,
    key: `${namespace}/${name}`,
    rank: 'shown',
  });
  const kind = kindName(kindOf(object));
  if (kind === 'ConfigMap') return [provided('config-map', nameOf(object))];
  const names = lookUp(MAKERS, kind)?.(object) ?? [];
  return names.flatMap((name) => (textOf(name) ? [provided('secret', String(name))] : []));
}

interface Reference {
  readonly subject: 'secret' | 'config-map';
  readonly name: string;
  readonly namespace: string | undefined;
  readonly optional: boolean;
}

function read(
  object: KubernetesObject,
  subjects: Subjects,
  issued: ReadonlyMap<string, Target>,
): Needed[] {
  const { group, kind } = kindOf(object);
  if (NO_READERS.has(kind) || group === 'rbac.authorization.k8s.io') return [];
  const namespace = namespaceOf(object, subjects.application);
  return references(object).map(({ subject, name, namespace: said, optional }): Needed => {
    const key = `${said ?? namespace}/${name}`;
    const issuer = subject === 'secret' ? issued.get(key) : undefined;
    const own: Target = { subject, key };
    return {
      evidence: 'secret',
      wants: issuer ? [own, issuer] : [own],
      strength: !optional && subjects.hasHealth(object) ? 'soft' : 'eventual',
      confidence: 'high',
      text: `${kind} reads ${subject === 'secret' ? 'Secret' : 'ConfigMap'} ${name}`,
      where: whereOf(object),
      ...(optional || group.includes('.') ? { guess: true } : {}),
    };
  });
}

function references(object: KubernetesObject): Reference[] {
  const found = new Map<string, Reference>();
  const add = (subject: Reference['subject'], value: unknown, name: unknown) => {
    const text = textOf(name);
    if (!text) return;
    const { namespace, optional } = fieldsOf(value);
    const reference = {
      subject,
      name: text,
      namespace: textOf(namespace),
      optional: optional === true,
    };
    const key = `${subject} ${reference.namespace ?? ''}/${text}`;
    if (!found.get(key) || !reference.optional) found.set(key, reference);
  };
  walk(object.spec, (key, value, way) => {
    if (WRITTEN.has(key) || way.some((part) => WRITTEN.has(part))) return;
    const { name, secretName } = fieldsOf(value);
    if (SECRET_FIELDS.has(key)) add('secret', value, secretName ?? name);
    if (CONFIG_FIELDS.has(key)) add('config-map', value, name);
    if (key === 'imagePullSecrets')
      for (const entry of listOf(value)) add('secret', entry, fieldsOf(entry).name);
  });
  return [...found.values()];
}
