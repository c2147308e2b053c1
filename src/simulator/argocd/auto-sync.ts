// Automated sync and self-heal: what Argo CD does automatically after a comparison, unless a window forbids it.
import { isDeleting } from '../cluster/object-store.ts';
import {
  type Application,
  automation,
  conditionsBut,
  type Operation,
  withStatus,
} from './application.ts';
import type { Comparison } from './compare.ts';
import type { Control } from './control.ts';
import { maySync } from './project-windows.ts';

const HEAL_PAUSE_MS = 5_000;

interface Healing {
  healedAt: number;
}

export function autoSync(
  controller: Control,
  application: Application,
  { sync, managed }: Comparison,
  healing: Healing,
): void {
  const automated = automation(application);
  const { operation, status } = application;
  if (!automated || sync !== 'OutOfSync' || operation || isDeleting(application)) return;
  const { time } = controller.parts;
  if (!maySync(controller, application, false)) return;
  const pruneOnly = managed.every(
    ({ status: one, requiresPruning }) => one === 'Synced' || requiresPruning,
  );
  if (pruneOnly && automated.prune !== true) return;
  const revision = status?.sync?.revision ?? '';
  const last = status?.operationState;
  const attempted = last?.syncResult?.revision === revision && last.operation.sync !== undefined;
  if (attempted && last.phase !== 'Succeeded') {
    failedBefore(controller, application, revision);
    return;
  }
  if (attempted) {
    if (automated.selfHeal !== true) return;
    const left = healing.healedAt + HEAL_PAUSE_MS - time.now;
    if (left > 0) {
      controller.later(left, () => controller.refresh(application, 1));
      return;
    }
    healing.healedAt = time.now;
  }
  const partial = attempted
    ? {
        resources: managed
          .filter(({ status: one }) => one !== 'Synced')
          .map(({ group, kind, namespace, name }) => ({ group, kind, namespace, name })),
        autoHealAttemptsCount: 1,
      }
    : {};
  begin(controller, application, {
    sync: {
      revision,
      ...(automated.prune ? { prune: true } : {}),
      syncOptions: application.spec.syncPolicy?.syncOptions ?? [],
      ...partial,
    },
    initiatedBy: { automated: true },
    retry: application.spec.syncPolicy?.retry ?? { limit: 5 },
  });
}

/** The operation that ended before is forgotten with the request. */
export function begin(controller: Control, application: Application, operation: Operation): void {
  controller.parts.objects.update(application, (now) => {
    const { operationState: _, ...status } = (now as Application).status ?? {};
    return { ...now, operation, status };
  });
}

function failedBefore(controller: Control, application: Application, revision: string): void {
  const message = `Failed last sync attempt to [${revision}]: ${application.status?.operationState?.message ?? ''}`;
  const others = conditionsBut(application, 'SyncError');
  const condition = { type: 'SyncError', message, lastTransitionTime: controller.now() };
  controller.parts.objects.update(application, (now) =>
    withStatus(now as Application, { conditions: [...others, condition] }),
  );
}
