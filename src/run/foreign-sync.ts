// Syncs that neither Tiphys nor Argo CD itself has asked for.
import type { ApplicationView, OperationRequest } from '../ports/application-view.ts';
import { isoTime } from './iso-time.ts';

export interface ForeignSync {
  /** The user of Argo CD; empty where the operation was written without argocd-server. */
  readonly by: string;
  /** ISO 8601: when Argo CD began with it. */
  readonly at: string;
}

export const PLATFORM_INFO = 'tiphys/platform';

/** Whether some run of this platform has asked for it. */
export function isOfPlatform(operation: OperationRequest, platform: string): boolean {
  return operation.infos.get(PLATFORM_INFO) === platform;
}

/** The last operation that has begun, if another client requested it. */
export function foreignSync(
  { operationState }: Pick<ApplicationView, 'operationState'>,
  platform: string,
): ForeignSync | undefined {
  if (operationState?.startedAt === undefined || operationState.automated) return undefined;
  if (isOfPlatform(operationState, platform)) return undefined;
  return { by: operationState.username, at: isoTime(operationState.startedAt * 1000) };
}

export const renderForeignSync = ({ by, at }: ForeignSync): string =>
  by === '' ? `directly in Kubernetes at ${at}` : `by "${by}" at ${at}`;

/** A foreign sync that began before something that the application depends on was Healthy. */
export interface Bypass extends ForeignSync {
  /** Its id. */
  readonly node: string;
  readonly application: string;
  /** Ids of the nodes that were not Healthy, in the order of the plan. */
  readonly before: readonly string[];
}
