// How Argo CD sees the health of an object: its built-in checks, as far as the simulated cluster has the kinds.

import type { Json, KubeObject } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Versioned } from './simulated-version.ts';

export interface Health {
  readonly status: string;
  readonly message?: string;
}

const HEALTHY: Health = { status: 'Healthy' };
const progressing = (message: string): Health => ({ status: 'Progressing', message });

type Check = (object: KubeObject) => Health | undefined;

type Condition = Readonly<Partial<Record<'type' | 'status' | 'reason' | 'message', string>>>;

const conditionsOf = ({ status }: KubeObject): readonly Condition[] =>
  (status?.conditions as readonly Condition[] | undefined) ?? [];

const count = (part: Json | undefined, field: string, usual = 0): number =>
  Number(part?.[field] ?? usual);

const unseen = ({ metadata, status }: KubeObject): boolean =>
  count(status, 'observedGeneration') < (metadata.generation ?? 1);

const deployment: Check = (object) => {
  const { spec, status } = object;
  if (spec?.paused === true) return { status: 'Suspended', message: 'Deployment is paused' };
  const waiting = (what: string) => progressing(`Waiting for rollout to finish: ${what}`);
  if (unseen(object)) return waiting('observed deployment generation less than desired generation');
  const { name } = object.metadata;
  if (conditionsOf(object).some(({ reason }) => reason === 'ProgressDeadlineExceeded'))
    return { status: 'Degraded', message: `Deployment "${name}" exceeded its progress deadline` };
  const wanted = count(spec, 'replicas', 1);
  const updated = count(status, 'updatedReplicas');
  if (updated < wanted)
    return waiting(`${updated} out of ${wanted} new replicas have been updated...`);
  const available = count(status, 'availableReplicas');
  return available < updated
    ? waiting(`${available} of ${updated} updated replicas are available...`)
    : HEALTHY;
};

const statefulSet: Check = (object) => {
  if (unseen(object)) return progressing('Waiting for statefulset spec update to be observed...');
  const wanted = count(object.spec, 'replicas', 1);
  const ready = count(object.status, 'readyReplicas');
  return ready < wanted
    ? progressing(`Waiting for ${wanted - ready} pods to be ready...`)
    : HEALTHY;
};

const job: Check = (object) => {
  const conditions = conditionsOf(object).filter(({ status }) => status === 'True');
  const failed = conditions.find(({ type }) => type === 'Failed');
  if (failed) return { status: 'Degraded', message: failed.message ?? '' };
  const suspended =
    conditions.some(({ type }) => type === 'Suspended') || object.spec?.suspend === true;
  if (suspended) return { status: 'Suspended', message: '' };
  return conditions.some(({ type }) => type === 'Complete') ? HEALTHY : progressing('');
};

const claim: Check = ({ status }) => {
  if (status?.phase === 'Lost') return { status: 'Degraded' };
  return status?.phase === 'Bound' ? HEALTHY : progressing('');
};

const ingress: Check = ({ status }) =>
  Array.isArray((status?.loadBalancer as Json | undefined)?.ingress) ? HEALTHY : progressing('');

const service: Check = (object) =>
  object.spec?.type === 'LoadBalancer' ? ingress(object) : HEALTHY;

const BUILT_IN: Readonly<Record<string, Check>> = {
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'batch/Job': job,
  '/PersistentVolumeClaim': claim,
  '/Service': service,
  'networking.k8s.io/Ingress': ingress,
};

export interface HealthSettings extends Versioned {
  /** The check for Applications: none, or that of Argo CD's documentation. */
  readonly nested: 'none' | 'documented';
}

/** Kinds without a check that Argo CD's own settings mention, which makes a missing one count before 3.4. */
const MENTIONED = new Set(['/ConfigMap', '/Endpoints', 'discovery.k8s.io/EndpointSlice']);

/** Whether a missing object of this kind makes the Application Missing, before 3.4. */
export function missingCounts(id: string): boolean {
  return id in BUILT_IN || MENTIONED.has(id);
}

/** Undefined: Argo CD has no check for it, and it counts for nothing. */
export function healthOf(object: KubeObject, settings: HealthSettings): Health | undefined {
  const { id } = kindOf(object.apiVersion, object.kind);
  if (object.metadata.deletionTimestamp !== undefined) return progressing('Pending deletion');
  if (id === 'argoproj.io/Application')
    return settings.nested === 'none' ? undefined : nested(object);
  return BUILT_IN[id]?.(object);
}

function nested({ status }: KubeObject): Health {
  const { status: given, message = '' } = (status?.health ?? {}) as Partial<Health>;
  return given ? { status: given, message } : progressing('');
}

/** From the best to the worst. */
const ORDER = ['Healthy', 'Suspended', 'Progressing', 'Missing', 'Degraded', 'Unknown'];

export function worst(all: readonly string[]): string {
  return all.reduce((bad, one) => (ORDER.indexOf(one) > ORDER.indexOf(bad) ? one : bad), 'Healthy');
}
