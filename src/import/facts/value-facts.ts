// Helm values that switch something on, for charts that were not rendered: a kind, an Ingress, a store, a class, a Secret.

import { classNeed } from './class-facts.ts';
import type { Facts, Needed, Subjects, Target } from './fact.ts';
import { annotatedIssuer } from './issuer-facts.ts';
import { kindNeed } from './kind-facts.ts';
import { at, type Fields, fieldsOf, isFields, listOf, textOf } from './object.ts';
import { storeTarget } from './store-facts.ts';
import { isOff, isOn, mergedValues } from './values-tree.ts';

const MONITORING = 'monitoring.coreos.com';
const EXTERNAL_SECRETS = 'external-secrets.io';
const DEPTH_MAX = 64;

interface Switch {
  readonly block: RegExp;
  readonly group: string;
  readonly kind: string;
}

/** `BLOCK: {enabled: true}` or `BLOCKEnabled: true` makes the chart write an object of the kind. */
const SWITCHES: readonly Switch[] = [
  { block: /^service-?monitors?$/i, group: MONITORING, kind: 'ServiceMonitor' },
  { block: /pod-?monitors?$/i, group: MONITORING, kind: 'PodMonitor' },
  { block: /^prometheus-?rules?$/i, group: MONITORING, kind: 'PrometheusRule' },
  { block: /^vmservicescrape$/i, group: 'operator.victoriametrics.com', kind: 'VMServiceScrape' },
  { block: /^certManager$/, group: 'cert-manager.io', kind: 'Certificate' },
  { block: /^http-?routes?$/i, group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
  { block: /^external-?secrets?$/i, group: EXTERNAL_SECRETS, kind: 'ExternalSecret' },
  { block: /^scaled-?objects?$/i, group: 'keda.sh', kind: 'ScaledObject' },
  { block: /^sealed-?secrets?$/i, group: 'bitnami.com', kind: 'SealedSecret' },
  { block: /^ingress-?routes?$/i, group: 'traefik.io', kind: 'IngressRoute' },
];
const ON = /^(?:enabled?|create|deploy)$/i;
const STORE = /^(?:(cluster)-?secret-?store(?:name)?|secret-?store-?name)$/i;
const SECRET = /(?:^|[a-z])(?:existingSecret|secretName|certSecret|tlsSecret)$/;

export function valueFacts(subjects: Subjects): Facts {
  const { application } = subjects;
  if (application.values.length === 0) return { provides: [], needs: [] };
  const { namespace } = application.destination;
  const needs: Needed[] = [];
  const issued = new Map<string, Target>();
  const secrets: [key: string, name: string][] = [];
  const visit = (block: Fields, way: readonly string[]) => {
    if (
      way.length > DEPTH_MAX ||
      Object.entries(block).some(([key, value]) => ON.test(key) && isOff(value))
    )
      return;
    const ingress = /ingress/i.test(way.at(-1) ?? '') && isOn(block.enabled);
    if (ingress) needs.push(...ingressNeeds(block, way, namespace, issued));
    for (const [key, value] of Object.entries(block)) {
      const here = [...way, key];
      needs.push(...switchNeeds(key, value, here), ...storeNeeds(key, value, here, namespace));
      const text = textOf(value);
      if (text && /^storageClass(?:Name)?$/.test(key)) needs.push(storageNeed(text, here));
      if (text && SECRET.test(key) && !way.some((part) => /ingress|extraTls/i.test(part)))
        secrets.push([here.join('.'), text]);
      for (const below of Array.isArray(value) ? value : [value])
        if (isFields(below)) visit(below, here);
    }
  };
  visit(mergedValues(application.values), []);
  needs.push(...secrets.map(([key, name]) => secretNeed(key, name, namespace, issued)));
  return { provides: [], needs };
}

function switchNeeds(key: string, value: unknown, way: readonly string[]): Needed[] {
  if (!isOn(value)) return [];
  const word = key.replace(/Enabled$/, '');
  const found = SWITCHES.find(({ block }) =>
    ON.test(key)
      ? way.slice(0, -1).some((part) => block.test(part))
      : word !== key && block.test(word),
  );
  if (!found) return [];
  return [byValues(found, way.join('.'))];
}

function byValues({ group, kind }: Pick<Switch, 'group' | 'kind'>, key: string): Needed {
  return {
    ...kindNeed({ group, kind }),
    evidence: 'crd-by-values',
    confidence: 'high',
    text: `Value ${key} switches on ${group}/${kind}`,
    where: `values ${key}`,
  };
}

function ingressNeeds(
  block: Fields,
  way: readonly string[],
  namespace: string,
  issued: Map<string, Target>,
): Needed[] {
  const where = `values ${way.join('.')}`;
  const { annotations } = block;
  const name =
    textOf(block.ingressClassName) ??
    textOf(block.className) ??
    textOf(block.ingressClass) ??
    textOf(fieldsOf(annotations)['kubernetes.io/ingress.class']);
  const issuer = annotatedIssuer(annotations, namespace);
  for (const entry of issuer ? [...listOf(block.tls), ...listOf(block.extraTls), block.tls] : []) {
    const secret = textOf(at(entry, 'secretName'));
    if (issuer && secret) issued.set(secret, issuer);
  }
  return [
    ...(name
      ? [
          {
            ...classNeed('IngressClass', name, 'Ingress'),
            strength: 'soft' as const,
            confidence: 'high' as const,
            where,
          },
        ]
      : []),
    ...(issuer
      ? [
          {
            evidence: 'issuer-annotation',
            wants: [issuer],
            strength: 'eventual' as const,
            confidence: 'high' as const,
            text: `Ingress asks issuer ${issuer.key.replace('*/', '')} for its certificate`,
            where,
          },
        ]
      : []),
  ];
}

/** A chart that is told a store makes an ExternalSecret of it. */
function storeNeeds(
  key: string,
  value: unknown,
  way: readonly string[],
  namespace: string,
): Needed[] {
  const match = STORE.exec(key.slice(0, 64));
  const isReference = /^secretStoreRef$/i.test(key);
  const name = match ? textOf(value) : isReference ? textOf(at(value, 'name')) : undefined;
  if (!name) return [];
  const kind = match
    ? match[1]
      ? 'ClusterSecretStore'
      : 'SecretStore'
    : textOf(at(value, 'kind'));
  const target = storeTarget(kind ?? 'SecretStore', namespace, name);
  const full = way.join('.');
  return [
    {
      evidence: 'secret-store',
      wants: [target, { subject: 'store', key: `*/${name}` }],
      strength: 'soft',
      confidence: 'high',
      text: `Value ${full} names ${kind ?? 'SecretStore'} ${name}`,
      where: `values ${full}`,
      guess: true,
    },
    byValues({ group: EXTERNAL_SECRETS, kind: 'ExternalSecret' }, full),
  ];
}

function storageNeed(name: string, way: readonly string[]): Needed {
  const key = way.join('.');
  return {
    ...classNeed('StorageClass', name, `Value ${key}`),
    strength: 'soft',
    confidence: 'high',
    where: `values ${key}`,
    guess: true,
  };
}

function secretNeed(
  key: string,
  name: string,
  namespace: string,
  issued: ReadonlyMap<string, Target>,
): Needed {
  const issuer = issued.get(name);
  const own: Target = { subject: 'secret', key: `${namespace}/${name}` };
  return {
    evidence: 'secret',
    wants: issuer ? [own, issuer] : [own],
    strength: 'soft',
    confidence: 'high',
    text: `Value ${key} names Secret ${name}`,
    where: `values ${key}`,
    guess: true,
  };
}
