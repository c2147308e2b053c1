// How long past syncs of an Application took, from the history that Argo CD keeps.
import type { RawStatus } from './application-status.ts';

/** A change of health that comes later has another cause than the sync. */
const SETTLES_WITHIN = 3_600;

/** Whole seconds, smallest first. Syncs that took no second say nothing: they changed nothing. */
export function pastDurations(status: RawStatus | undefined): readonly number[] {
  const history = (status?.history ?? []).map(({ deployStartedAt, deployedAt }) =>
    between(deployStartedAt, deployedAt),
  );
  const last = lastDuration(status);
  const all = last === undefined ? history : [...history.slice(0, -1), last];
  return all.flatMap((seconds) => seconds || []).sort((a, b) => a - b);
}

/** Of the last operation it is known when its Application became Healthy, not only when everything was applied. */
function lastDuration(status: RawStatus | undefined): number | undefined {
  const { phase, startedAt, finishedAt } = status?.operationState ?? {};
  if (phase !== 'Succeeded' || startedAt === undefined || finishedAt === undefined)
    return undefined;
  const { status: health, lastTransitionTime: healthy = finishedAt } = status?.health ?? {};
  const isOfSync = health === 'Healthy' && healthy - finishedAt <= SETTLES_WITHIN;
  return between(startedAt, isOfSync ? Math.max(healthy, finishedAt) : finishedAt);
}

function between(start: number | undefined, end: number | undefined): number | undefined {
  return start === undefined || end === undefined || end < start ? undefined : end - start;
}
