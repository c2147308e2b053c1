// Where Argo CD gets the health of a kind from, in its order of lookup.
import { load } from 'js-yaml';
import { matchesGlob } from '../model/glob.ts';
import { BUNDLED_KINDS } from './bundled.ts';
import { type Kind, kindName } from './health-check.ts';
import { healthKey } from './render.ts';

export type HealthSource = 'argocd-cm' | 'bundled' | 'built in' | 'none';

/** Kinds that Argo CD judges in Go. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'apps/Deployment',
  'apps/StatefulSet',
  'apps/DaemonSet',
  'apps/ReplicaSet',
  'batch/Job',
  'Pod',
  'PersistentVolumeClaim',
  'Service',
  'networking.k8s.io/Ingress',
  'extensions/Ingress',
  'apiregistration.k8s.io/APIService',
  'autoscaling/HorizontalPodAutoscaler',
  'argoproj.io/Workflow',
]);

const bundled: ReadonlySet<string> = new Set(BUNDLED_KINDS);
const wildcards = BUNDLED_KINDS.filter((name) => name.includes('_')).map((name) =>
  name.replaceAll('_', '*'),
);

export function healthSource(kind: Kind, settings: ReadonlyMap<string, string>): HealthSource {
  const name = kindName(kind);
  if (
    settings.has(healthKey(kind)) ||
    olderEntries(settings).some((glob) => matchesGlob(glob, name))
  ) {
    return 'argocd-cm';
  }
  if (bundled.has(name) || wildcards.some((glob) => matchesGlob(glob, name))) return 'bundled';
  return BUILT_IN.has(name) ? 'built in' : 'none';
}

const KEY = healthKey({ group: '', kind: '' });

/** Kinds that have their own check in argocd-cm, as GROUP/KIND; older entries may have wildcards. */
export function customHealthKinds(settings: ReadonlyMap<string, string>): string[] {
  const newer = [...settings.keys()]
    .filter((key) => key.startsWith(KEY) && key.length > KEY.length)
    // A kind has no underscore, a group may not have one either.
    .map((key) => key.slice(KEY.length).replace('_', '/'));
  return [...newer, ...olderEntries(settings)];
}

/** The old form of argocd-cm, before keys were split: one YAML text, whose keys may have wildcards. */
function olderEntries(settings: ReadonlyMap<string, string>): string[] {
  const text = settings.get('resource.customizations');
  if (text === undefined) return [];
  let parsed: unknown;
  try {
    parsed = load(text, { maxAliases: 0 });
  } catch {
    // Argo CD cannot read it either: it does not count.
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.entries(parsed)
    .filter(([, value]) => typeof value?.['health.lua'] === 'string')
    .map(([key]) => key);
}

/** API groups of Kubernetes itself. A kind without a check there has nothing to wait for. */
const KUBERNETES: ReadonlySet<string> = new Set([
  '',
  'apps',
  'batch',
  'autoscaling',
  'policy',
  'extensions',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
]);

/** Its status contains tokens only. */
const APP_PROJECT = 'argoproj.io/AppProject';

export function hasNothingToWaitFor(kind: Kind): boolean {
  return KUBERNETES.has(kind.group) || kindName(kind) === APP_PROJECT;
}
