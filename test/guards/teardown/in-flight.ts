// An operation that has begun and does not end: Argo CD's controller is away.
import { API, type DeployedShop } from './deployed-shop.ts';

export function inFlight(
  { rehearsal: { objects, controller, time } }: DeployedShop,
  name: string,
  initiatedBy: Readonly<Record<string, boolean | string>>,
  info: readonly { readonly name: string; readonly value: string }[] = [],
): void {
  controller.stop();
  const application = objects.get(API, 'Application', 'argocd', name);
  if (!application) throw new Error(`no ${name}`);
  const operation = { info: [...info], initiatedBy: { ...initiatedBy }, sync: {} };
  const startedAt = new Date(time.calendar).toISOString();
  const operationState = { operation, phase: 'Running', message: '', startedAt };
  objects.update(application, (now) => ({
    ...now,
    operation,
    status: { ...(now.status as object), operationState },
  }));
}
