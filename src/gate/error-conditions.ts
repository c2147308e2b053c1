// Which conditions of an Argo CD Application are errors.
import type { ApplicationView, ConditionView } from '../ports/application-view.ts';

const ERROR_CONDITIONS: ReadonlySet<string> = new Set([
  'ComparisonError',
  'InvalidSpecError',
  'UnknownError',
  'SyncError',
  'DeletionError',
]);

/** The first error that counts. */
export function errorOf(application: ApplicationView): ConditionView | undefined {
  return application.conditions.find((one) => isError(application, one));
}

/**
 * A SyncError describes Argo CD's own last automated sync. Argo CD does not re-evaluate it while a sync window blocks that
 * sync, so a SyncError from before the end of an operation is outdated: whether the operation succeeded is a separate
 * condition. The same holds within the same second: Argo CD reports no SyncError for a sync that succeeded, and anything
 * else that blocks a sync would leave the Application OutOfSync.
 */
function isError(
  { operationState: state }: ApplicationView,
  { type, since = Number.POSITIVE_INFINITY }: ConditionView,
): boolean {
  if (!ERROR_CONDITIONS.has(type)) return false;
  const overcome = (state?.finishedAt ?? 0) >= since;
  return type !== 'SyncError' || !overcome;
}
