// Syncs by accounts that the guard lets sync in an emergency.
import type { ProjectView } from '../ports/app-projects.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { ForeignSync } from './foreign-sync.ts';
import { isoTime } from './iso-time.ts';

/** The annotation of an AppProject with their names. No pod of Tiphys may write it, unlike those that begin with `tiphys.dev/`. */
export const BREAK_GLASS = 'guard.tiphys.dev/break-glass';

/** The last one that Argo CD recorded, also where others have synced since. `project`: the one that the Application is in. */
export function lastBreakGlass(
  { deployments }: Pick<ApplicationView, 'deployments'>,
  project: Pick<ProjectView, 'annotations'> | undefined,
): ForeignSync | undefined {
  const accounts = (project?.annotations.get(BREAK_GLASS) ?? '').split(' ');
  const last = deployments.findLast(
    ({ username, automated }) => username !== '' && !automated && accounts.includes(username),
  );
  if (last?.startedAt === undefined) return undefined;
  return { by: last.username, at: isoTime(last.startedAt * 1000) };
}
