// Which of the conditions that Argo CD notes at an Application are errors.
import type { ApplicationView, ConditionView } from '../ports/application-view.ts';

const ERROR_CONDITIONS: ReadonlySet<string> = new Set([
  'ComparisonError',
  'InvalidSpecError',
  'UnknownError',
  'SyncError',
  'DeletionError',
]);

/** The first that counts. */
export function errorOf(application: ApplicationView): ConditionView | undefined {
  return application.conditions.find((one) => isError(application, one));
}

/**
 * A SyncError is what Argo CD says of its own last try. It does not look at it again while a window keeps it from trying,
 * so one from before the end of an operation that succeeded says nothing any more. In the same second, too: Argo CD does
 * not say so of what has succeeded, and what else keeps it from trying would be out of sync.
 */
function isError(
  { operationState: state }: ApplicationView,
  { type, since = Number.POSITIVE_INFINITY }: ConditionView,
): boolean {
  if (!ERROR_CONDITIONS.has(type)) return false;
  const overcome = state?.phase === 'Succeeded' && (state.finishedAt ?? 0) >= since;
  return type !== 'SyncError' || !overcome;
}
