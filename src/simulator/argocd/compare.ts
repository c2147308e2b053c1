// One comparison of an Application: what Git wants against the picture of the cluster. Sync status and health come from the
// same picture.

import { type Json, type KubeObject, nameOf } from '../cluster/object-store.ts';
import { kindOf } from '../cluster/served-kinds.ts';
import type { Application, ResourceName } from './application.ts';
import { hookOf, type Wanted } from './desired.ts';
import { normalized } from './ignore-differences.ts';
import type { LiveCache } from './live-cache.ts';
import {
  type Health,
  type HealthSettings,
  healthOf,
  missingCounts,
  worst,
} from './resource-health.ts';
import { isFrom } from './simulated-version.ts';

export interface Managed extends ResourceName {
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
  const known = new Set(wanted?.map(({ object }) => nameOf(object)));
  const tracked = cache.trackedBy(application.metadata.name);
  const hooks = tracked.filter((object) => hookOf(object) !== undefined);
  const extra = tracked.filter((object) => !known.has(nameOf(object)) && !hooks.includes(object));
  const targeted = targets.map(({ object, wave }): Managed => {
    const live = cache.get(object);
    const isSame = live && contains(normalized(application, live), normalized(application, object));
    const status = isSame ? 'Synced' : 'OutOfSync';
    const health = live ? healthOf(live, settings) : { status: 'Missing' };
    const requiresPruning = false;
    return { ...namesOf(object), target: object, live, status, health, requiresPruning, wave };
  });
  const skipped = (wanted ?? []).filter(({ hook }) => hook === 'Skip');
  const managed = [
    ...targeted,
    ...extra.map((live) => left(live, wanted !== undefined, settings)),
    ...skipped.map(({ object }) => ({ ...targetOnly(object), live: cache.get(object) })),
    ...cache
      .copiesOf(application.metadata.name)
      .map((live) => ({ ...left(live, false, settings), status: '' })),
  ];
  const sync = !wanted ? 'Unknown' : managed.some(isDrift) ? 'OutOfSync' : 'Synced';
  return { sync, health: aggregate(managed, settings), managed, hooks };
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
  // From 3.4 on what is missing counts only where nothing is there.
  const byEach = !isFrom(4, settings);
  const own = managed.filter(({ target }) => !target || hookOf(target) === undefined);
  if (!byEach && own.length > 0 && own.every(({ live }) => !live)) return 'Missing';
  const counted = managed.filter(({ kind, group, health, target, live }) => {
    const ignored = (target ?? live)?.metadata.annotations?.[IGNORE_HEALTH] === 'true';
    const child = group === 'argoproj.io' && kind === 'Application';
    const isMissing = health?.status === 'Missing';
    const silent = child && (isMissing || health?.status === 'Unknown');
    const unchecked = isMissing && !(byEach && missingCounts(`${group}/${kind}`));
    return health !== undefined && !ignored && !silent && !unchecked;
  });
  return worst(counted.map(({ health }) => health?.status ?? 'Healthy'));
}

/** Whether everything that is wanted is so; what is not wanted does not matter. */
export function contains(live: unknown, wanted: unknown): boolean {
  if (live === wanted) return true;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(live) &&
      live.length === wanted.length &&
      wanted.every((item, at) => contains(live[at], item))
    );
  }
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  if (!isObject(wanted) || !isObject(live)) return isEmpty(wanted) && isEmpty(live);
  return Object.entries(wanted as Json).every(
    ([key, value]) => key === 'status' || contains((live as Json)[key], value),
  );
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '' || value === false;
}

export function namesOf({ apiVersion, kind, metadata }: KubeObject): ResourceName {
  const { namespace = '', name } = metadata;
  return { group: kindOf(apiVersion, kind).group, kind, namespace, name };
}

/** Without its group. */
export const versionOf = ({ apiVersion }: KubeObject): string => apiVersion.split('/').at(-1) ?? '';
