// Services by their DNS name, in manifests, in Helm values, and as the place that a chart or a Git repository is taken from.
import type { ApplicationMaterial, KubernetesObject } from '../material.ts';
import { type ServiceAddress, serviceAddresses } from './addresses.ts';
import type { Facts, Needed, Provided, Subjects, Target } from './fact.ts';
import { isFields, isKind, kindOf, nameOf, namespaceOf, whereOf } from './object.ts';

const TELEMETRY =
  /otel|otlp|opentelemetry|jaeger|tempo|zipkin|loki|mimir|prometheus|grafana|alertmanager|pushgateway|fluent|vector|telemetry|tracing|metrics|logging|collector|keycloak|dex|oidc|oauth|sso|sign-?in|login|auth/i;
const WORKLOADS = new Set([
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'Pod',
  'ReplicaSet',
]);
/** Kinds that are nothing but a connection. Others may be Healthy long before the address answers. */
const CONNECTIONS = /(?:Store|Issuer|Repository|Connect|Connection)$/;
/** They speak of addresses that they do not call. */
const NO_CALLERS = new Set([
  ...['CustomResourceDefinition', 'Service', 'Certificate', 'CertificateRequest'],
]);
/** One object may name so many addresses; more are a list of everything. */
const TEXTS_MAX = 20_000;

export function serviceFacts(subjects: Subjects): Facts {
  const { application, objects } = subjects;
  return {
    provides: [...objects.flatMap((object) => service(object, application)), ...place(application)],
    needs: [
      ...objects.flatMap((object) => addressesIn(object, subjects)),
      ...addressesOfValues(application),
      ...sources(application),
    ],
  };
}

function service(object: KubernetesObject, application: ApplicationMaterial): Provided[] {
  if (!isKind(object, '', 'Service')) return [];
  const key = `${namespaceOf(object, application)}/${nameOf(object)}`;
  return [{ subject: 'service', key, rank: 'shown' }];
}

/** Services that no manifest shows, of a chart or an operator: named after the release, in the namespace of the application. */
function place({ name, destination: { namespace } }: ApplicationMaterial): Provided[] {
  return [
    { subject: 'place', key: `${namespace}/${name}`, rank: 'assumed' },
    { subject: 'place', key: namespace, rank: 'maybe' },
  ];
}

export function addressTargets({ service: name, namespace, isCertain }: ServiceAddress): Target[] {
  const exact: Target = { subject: 'service', key: `${namespace}/${name}` };
  if (!isCertain) return [exact];
  const parts = name.split('-');
  const prefixes = parts.map((_, count) => parts.slice(0, parts.length - count).join('-'));
  return [
    exact,
    ...prefixes.map((prefix): Target => ({ subject: 'place', key: `${namespace}/${prefix}` })),
    { subject: 'place', key: namespace },
  ];
}

function need(
  address: ServiceAddress,
  key: string,
): Omit<Needed, 'strength' | 'confidence' | 'where' | 'evidence'> {
  const { service: name, namespace } = address;
  return {
    wants: addressTargets(address),
    text: `${key} has the address of Service ${namespace}/${name}`,
    ...(address.isCertain ? {} : { guess: true }),
  };
}

function isTelemetry({ service: name, namespace }: ServiceAddress, key: string): boolean {
  return TELEMETRY.test(`${name} ${namespace} ${key.slice(0, 200)}`);
}

/** What does not start without its address, as far as that is visible from outside. */
function strengthOf(
  object: KubernetesObject,
  { hasHealth }: Subjects,
): Pick<Needed, 'strength' | 'confidence'> {
  const { group, kind } = kindOf(object);
  if (WORKLOADS.has(kind)) return { strength: 'soft', confidence: 'medium' };
  if (group.includes('.') && !group.endsWith('.k8s.io') && hasHealth(object))
    return { strength: 'soft', confidence: CONNECTIONS.test(kind) ? 'high' : 'medium' };
  return { strength: 'eventual', confidence: 'medium' };
}

function addressesIn(object: KubernetesObject, subjects: Subjects): Needed[] {
  const { kind } = kindOf(object);
  if (NO_CALLERS.has(kind)) return [];
  return textsOf(object).flatMap(([key, text]) =>
    serviceAddresses(text).map((address) => {
      const telemetry = isTelemetry(address, key);
      return {
        ...need(address, kind),
        ...(telemetry
          ? { strength: 'eventual' as const, confidence: 'medium' as const }
          : strengthOf(object, subjects)),
        evidence: telemetry ? 'telemetry-dns' : 'dns',
        where: whereOf(object),
      };
    }),
  );
}

function addressesOfValues({ values }: ApplicationMaterial): Needed[] {
  return values.flatMap((value) =>
    textsOf(value).flatMap(([key, text]) =>
      serviceAddresses(text).map((address) => {
        const telemetry = isTelemetry(address, key);
        return {
          ...need(address, `Value ${key}`),
          strength: telemetry ? ('eventual' as const) : ('soft' as const),
          confidence: 'medium' as const,
          evidence: telemetry ? 'telemetry-dns' : 'dns',
          where: `values ${key}`,
        };
      }),
    ),
  );
}

/** Argo CD cannot even render it before the place that serves it is there. */
function sources({ sources: own, charts }: ApplicationMaterial): Needed[] {
  const places = [...own.map(({ repoURL }) => repoURL), ...charts.map((chart) => chart.repository)];
  return [...new Set(places)].flatMap((url = '') =>
    serviceAddresses(url).map(
      (address): Needed => ({
        ...need(address, 'Its source'),
        evidence: 'source',
        strength: 'hard',
        confidence: 'high',
        where: 'source',
      }),
    ),
  );
}

/** Every text below, with the last name on the way to it. */
function textsOf(value: unknown): [key: string, text: string][] {
  const texts: [string, string][] = [];
  const look = (key: string, held: unknown, depth: number) => {
    if (texts.length >= TEXTS_MAX || depth > 64) return;
    if (typeof held === 'string') texts.push([key, held]);
    else if (Array.isArray(held)) for (const item of held) look(key, item, depth + 1);
    else if (isFields(held))
      for (const [name, item] of Object.entries(held)) {
        if (name !== 'metadata' && name !== 'status') look(name, item, depth + 1);
      }
  };
  look('', value, 0);
  return texts.filter(([, text]) => text.includes('.'));
}
