// Which Applications a look is limited to, by their labels.
import { usageError } from '../../errors.ts';
import { type LabelSelector, selectsLabels } from '../../model/label-selector.ts';
import { quote } from '../../model/names.ts';
import type { ApplicationView } from '../../ports/application-view.ts';

/** Without a selector everything is meant, also what does not exist; with one only what has the labels. */
export const isSelectedBy = (
  selector: LabelSelector | undefined,
  view: Pick<ApplicationView, 'labels'> | undefined,
): boolean =>
  selector === undefined || (view !== undefined && selectsLabels(selector, view.labels));

/** A mistake in a selector must not look like a platform without problems. */
export function requireSelected<T>(
  selector: LabelSelector | undefined,
  found: readonly T[],
): readonly T[] {
  if (selector === undefined || found.length > 0) return found;
  throw usageError(
    `No Application of the platform matches the selector ${quote(selector.text)}.`,
    'List the labels with `kubectl get applications.argoproj.io --all-namespaces --show-labels`.',
  );
}
