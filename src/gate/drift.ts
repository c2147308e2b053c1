// Which resources of an Application count for its sync status. Argo CD lists more than it judges: objects that only carry
// a copy of its tracking id, and skipped objects, have no status, and extra objects with IgnoreExtraneous leave the
// Application Synced.
import type { Settings } from '../model/settings.ts';
import {
  type ApplicationView,
  type LiveResource,
  type ResourceView,
  renderResource,
} from '../ports/application-view.ts';
import type { Reason } from './reason.ts';

/** The resources that the Application consists of. */
export function ownResources(application: ApplicationView): readonly ResourceView[] {
  return application.resources.filter((resource) => !isApart(application, resource));
}

/** The live objects that belong to the Application. */
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

/** Whether it is OutOfSync only because of resources that are no longer in Git. */
export function awaitsPruning(application: ApplicationView): boolean {
  const drifted = ownResources(application).filter(({ status }) => status !== 'Synced');
  return drifted.length > 0 && drifted.every(({ requiresPruning }) => requiresPruning);
}

/** Why it is not Synced, except for resources that the platform file allows to be OutOfSync. */
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
  // Something other than a resource can make it OutOfSync; the platform file cannot allow that.
  const isExcused = status === 'OutOfSync' && drifted.length > 0;
  return status === 'Synced' || isExcused ? undefined : { message: `sync status is ${status}` };
}

function wordsOf({ requiresPruning, status }: ResourceView): string {
  return requiresPruning
    ? 'it is no longer in Git and would be pruned'
    : `sync status is ${status}`;
}
