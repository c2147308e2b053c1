// Which changes of a live object make Argo CD compare its Application.

import type { KubeObject } from '../cluster/object-store.ts';
import { isSame } from '../cluster/same.ts';
import { REFRESH } from './application.ts';
import { type HealthSettings, healthOf } from './resource-health.ts';

/** A change of status alone leads to a comparison only where it changes the health. */
export function isNews(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  settings: HealthSettings,
): boolean {
  if (!before || !after) return true;
  if (before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp) return true;
  if (!isSame(wantedPart(before), wantedPart(after))) return true;
  return !isSame(healthOf(before, settings), healthOf(after, settings));
}

/** What a user could want otherwise. */
function wantedPart({ metadata, status: _, operation: __, ...body }: KubeObject): unknown {
  const { [REFRESH]: ___, ...annotations } = metadata.annotations ?? {};
  return { ...body, annotations, labels: metadata.labels };
}
