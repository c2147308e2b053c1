// What of an Application's resources counts against it. Argo CD lists more than it judges: objects that only carry a copy of
// its tracking id and those that are told to be skipped have no status, and extras with IgnoreExtraneous leave it Synced.
import type { Settings } from '../model/settings.ts';
import {
  type ApplicationView,
  type LiveResource,
  type ResourceView,
  renderResource,
} from '../ports/application-view.ts';
import type { Reason } from './reason.ts';

/** Those that it is made of. */
export function ownResources(application: ApplicationView): readonly ResourceView[] {
  return application.resources.filter((resource) => !isApart(application, resource));
}

/** Those live objects that are its own. */
export function ownObjects(
  application: ApplicationView,
  live: readonly LiveResource[],
): readonly LiveResource[] {
  const apart = application.resources.filter((resource) => isApart(application, resource));
  const names = new Set(apart.map(renderResource));
  return live.filter((object) => !names.has(renderResource(object)));
}

function isApart({ sync }: ApplicationView, { status, requiresPruning }: ResourceView): boolean {
  const isIgnored = sync.status === 'Synced' && status === 'OutOfSync' && requiresPruning;
  return status === '' || isIgnored;
}

/** Nothing but what is not in Git any more makes it OutOfSync. */
export function awaitsPruning(application: ApplicationView): boolean {
  const drifted = ownResources(application).filter(({ status }) => status !== 'Synced');
  return drifted.length > 0 && drifted.every(({ requiresPruning }) => requiresPruning);
}

/** Why it is not Synced, but for what the platform file lets be OutOfSync. */
export function drift(
  application: ApplicationView,
  { ignoreOutOfSync }: Pick<Settings['gate'], 'ignoreOutOfSync'>,
): Reason | undefined {
  const { status } = application.sync;
  const drifted = ownResources(application).filter((resource) => resource.status !== 'Synced');
  const isTolerated = ({ kind, name, ...resource }: ResourceView) =>
    resource.status === 'OutOfSync' && ignoreOutOfSync.includes(`${kind}/${name}`);
  const wrong = drifted.find((resource) => !isTolerated(resource));
  if (wrong) return { message: wordsOf(wrong), resource: renderResource(wrong) };
  // Something else than a resource can make it OutOfSync, which nobody has allowed.
  const isExcused = status === 'OutOfSync' && drifted.length > 0;
  return status === 'Synced' || isExcused ? undefined : { message: `it is ${status}` };
}

function wordsOf({ requiresPruning, status }: ResourceView): string {
  return requiresPruning ? 'it is not in Git any more and would be pruned' : `it is ${status}`;
}
