// What an operation writes into its Application.
import type { Objects } from '../cluster/object-store.ts';
import {
  type Application,
  type ApplicationStatus,
  asApplication,
  conditionsBut,
  type OperationState,
  withStatus,
} from './application.ts';

const MOST_HISTORY = 10;

/** The last write of an operation removes the request. */
export function writeState(
  objects: Objects,
  application: Application,
  part: Partial<OperationState>,
  isLast: boolean,
): void {
  objects.update(application, (object) => {
    const now = asApplication(object);
    const operationState = { ...now.status?.operationState, ...part } as OperationState;
    const end = isLast ? cleared(now, operationState) : {};
    const next = withStatus(now, { operationState, ...end });
    if (!isLast) return next;
    const { operation: _, ...rest } = next;
    return rest as Application;
  });
}

/** A sync that went well ends what an earlier one left behind. */
function cleared(application: Application, state: OperationState): Partial<ApplicationStatus> {
  if (state.phase !== 'Succeeded') return {};
  const conditions = conditionsBut(application, 'SyncError');
  return { conditions, history: historyWith(application, state) };
}

/** The history with this operation in it: of the last ten that succeeded, partial ones left out. */
function historyWith({ status, spec }: Application, state: OperationState) {
  const { operation, startedAt, finishedAt, syncResult } = state;
  const before = status?.history ?? [];
  if (operation.sync?.resources !== undefined) return before;
  const entry = {
    revision: syncResult?.revision,
    deployedAt: finishedAt,
    id: (before.at(-1)?.id ?? -1) + 1,
    source: spec.source,
    deployStartedAt: startedAt,
    initiatedBy: operation.initiatedBy ?? {},
  };
  return [...before, entry].slice(-MOST_HISTORY);
}
