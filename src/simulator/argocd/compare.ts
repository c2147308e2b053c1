// One comparison of an Application: what Git wants against the picture of the cluster. Sync status and health come from the
// same picture.

import type { Json, KubeObject } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Application } from './application.ts';
import type { Wanted } from './desired.ts';
import type { LiveCache } from './live-cache.ts';
import {
  type Health,
  type HealthSettings,
  healthOf,
  missingCounts,
  worst,
} from './resource-health.ts';

export interface Managed {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly target: KubeObject | undefined;
  readonly live: KubeObject | undefined;
  readonly status: string;
  readonly health: Health | undefined;
  readonly requiresPruning: boolean;
  readonly wave: number;
}

export interface Comparison {
  readonly sync: string;
  readonly health: string;
  readonly managed: readonly Managed[];
  /** Hooks that are still there. They count for nothing. */
  readonly hooks: readonly KubeObject[];
}

const IGNORE_HEALTH = 'argocd.argoproj.io/ignore-healthcheck';

/** `wanted` undefined: Git could not be asked, so nothing is known but what lives. */
export function compare(
  application: Application,
  wanted: readonly Wanted[] | undefined,
  cache: LiveCache,
  settings: HealthSettings,
): Comparison {
  const targets = (wanted ?? []).filter(({ hook }) => hook === undefined);
  const skipped = (wanted ?? []).filter(({ hook }) => hook === 'Skip');
  const hooks = new Set(
    (wanted ?? []).filter(({ hook }) => hook).map(({ object }) => nameOf(object)),
  );
  const known = new Set(targets.map(({ object }) => nameOf(object)));
  const tracked = cache.trackedBy(application.metadata.name);
  const extra = tracked.filter(
    (object) => !known.has(nameOf(object)) && !hooks.has(nameOf(object)) && !isHook(object),
  );
  const managed = [
    ...targets.map((target) => targeted(target, application, cache, settings)),
    ...extra.map((live) => left(live, wanted !== undefined, settings)),
    ...skipped.map(({ object }) => ({ ...targetOnly(object), live: liveOf(object, cache) })),
    ...cache.copiesOf(application.metadata.name).map((live) => ({
      ...left(live, false, settings),
      status: '',
    })),
  ];
  const sync = !wanted ? 'Unknown' : managed.some(isDrift) ? 'OutOfSync' : 'Synced';
  return { sync, health: aggregate(managed, settings), managed, hooks: tracked.filter(isHook) };
}

/** What is told not to count, and what has no status at all, leaves the Application Synced. */
function isDrift({ status, requiresPruning, live }: Managed): boolean {
  const options = live?.metadata.annotations?.[COMPARE_OPTIONS]?.split(',') ?? [];
  if (requiresPruning && options.includes('IgnoreExtraneous')) return false;
  return status !== 'Synced' && status !== '';
}

const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';

/** One that is told to be skipped: shown, and neither synced nor judged. */
const targetOnly = (object: KubeObject) => ({
  ...namesOf(object),
  ...{ target: object, status: '', health: undefined, requiresPruning: false, wave: 0 },
});

const liveOf = ({ apiVersion, kind, metadata }: KubeObject, cache: LiveCache) =>
  cache.get(apiVersion, kind, metadata.namespace, metadata.name);

/** The same, with its first resource as it was before an operation. */
export function asBefore(comparison: Comparison): Comparison {
  const [first, ...others] = comparison.managed;
  if (!first) return comparison;
  return {
    ...comparison,
    sync: 'OutOfSync',
    managed: [{ ...first, status: 'OutOfSync' }, ...others],
  };
}

function targeted(
  { object, wave }: Wanted,
  application: Application,
  cache: LiveCache,
  settings: HealthSettings,
): Managed {
  const live = liveOf(object, cache);
  const target = withoutIgnored(object, application);
  return {
    ...namesOf(object),
    target: object,
    live,
    status: live && contains(live, target) ? 'Synced' : 'OutOfSync',
    health: live ? healthOf(live, settings) : { status: 'Missing' },
    requiresPruning: false,
    wave,
  };
}

function left(live: KubeObject, isKnown: boolean, settings: HealthSettings): Managed {
  return {
    ...namesOf(live),
    target: undefined,
    live,
    status: isKnown ? 'OutOfSync' : 'Unknown',
    health: healthOf(live, settings),
    requiresPruning: isKnown,
    wave: 0,
  };
}

/** Child Applications that are Missing or Unknown do not count, nor what is missing of a kind without a check. */
function aggregate(managed: readonly Managed[], settings: HealthSettings): string {
  const counted = managed.filter(({ kind, group, health, target, live }) => {
    const ignored = (target ?? live)?.metadata.annotations?.[IGNORE_HEALTH] === 'true';
    const child = group === 'argoproj.io' && kind === 'Application';
    const isMissing = health?.status === 'Missing';
    const silent = child && (isMissing || health?.status === 'Unknown');
    const unchecked = isMissing && !missingCounts(`${group}/${kind}`, settings);
    return health !== undefined && !ignored && !silent && !unchecked;
  });
  return worst(counted.map(({ health }) => health?.status ?? 'Healthy'));
}

export function withoutIgnored(object: KubeObject, { spec }: Application): KubeObject {
  const { group } = kindOf(object.apiVersion, object.kind);
  const pointers = (spec.ignoreDifferences ?? []).flatMap((rule) => {
    const fits =
      [group, '*'].includes(String(rule.group ?? '')) &&
      [object.kind, '*'].includes(String(rule.kind));
    return fits ? ((rule.jsonPointers as readonly string[] | undefined) ?? []) : [];
  });
  return pointers.reduce<KubeObject>(
    (kept, pointer) => without(kept, pointer.split('/').slice(1)) as KubeObject,
    object,
  );
}

function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || !(key in value)) return value;
  const { [key]: inner, ...others } = value as Json;
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) };
}

/** Whether everything that is wanted is so; what nobody asked for does not matter. */
export function contains(live: unknown, wanted: unknown): boolean {
  if (live === wanted) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, at) => contains(live[at], item))
    );
  }
  if (typeof wanted !== 'object' || wanted === null) return isEmpty(wanted) && isEmpty(live);
  if (typeof live !== 'object' || live === null) return isEmpty(wanted) && isEmpty(live);
  return Object.entries(wanted).every(
    ([key, value]) => key === 'status' || contains((live as Json)[key], value),
  );
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

const HOOK = 'argocd.argoproj.io/hook';
const isHook = ({ metadata }: KubeObject) => metadata.annotations?.[HOOK] !== undefined;

export const nameOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${kindOf(apiVersion, kind).id} ${metadata.namespace ?? ''}/${metadata.name}`;

export function namesOf({ apiVersion, kind, metadata }: KubeObject) {
  return {
    group: kindOf(apiVersion, kind).group,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
  };
}
