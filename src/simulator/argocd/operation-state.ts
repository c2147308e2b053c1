// What an operation writes into its Application.
import type { Objects } from '../cluster/object-store.ts';
import {
  type Application,
  asApplication,
  conditionsBut,
  type OperationState,
  sourceOf,
  withStatus,
} from './application.ts';

const MOST_HISTORY = 10;

/** The last write of an operation removes the request. A sync that went well ends what an earlier one left behind. */
export function writeState(
  objects: Objects,
  application: Application,
  part: Partial<OperationState>,
  isLast: boolean,
): void {
  objects.update(application, (object) => {
    const { operation, ...now } = asApplication(object);
    const operationState = { ...now.status?.operationState, ...part } as OperationState;
    if (!isLast) return withStatus(asApplication(object), { operationState });
    if (operationState.phase !== 'Succeeded') return withStatus(now, { operationState });
    const conditions = conditionsBut(now, 'SyncError');
    return withStatus(now, {
      operationState,
      conditions,
      history: historyWith(now, operationState),
    });
  });
}

/** The history with this operation in it: of the last ten that succeeded, partial ones left out. */
function historyWith(application: Application, state: OperationState) {
  const { status } = application;
  const { operation, startedAt, finishedAt, syncResult } = state;
  const before = status?.history ?? [];
  if (operation.sync?.resources !== undefined) return before;
  const entry = {
    revision: syncResult?.revision,
    deployedAt: finishedAt,
    id: (before.at(-1)?.id ?? -1) + 1,
    source: sourceOf(application),
    deployStartedAt: startedAt,
    initiatedBy: operation.initiatedBy ?? {},
  };
  return [...before, entry].slice(-MOST_HISTORY);
}
