// What became of each object of an operation, and of its hooks.
import { type KubeObject, nameOf, type Objects } from '../cluster/object-store.ts';
import type { ResultResource } from './application.ts';
import { namesOf, versionOf } from './compare.ts';
import type { Wanted } from './desired.ts';
import type { Health } from './resource-health.ts';

type HookPhase = 'Running' | 'Succeeded' | 'Failed';

const DELETE_POLICY = 'argocd.argoproj.io/hook-delete-policy';

/** By the names of the objects. */
export class Results extends Map<string, ResultResource> {
  refused({ object, hook }: Wanted, message: string): void {
    this.set(nameOf(object), {
      ...namesOf(object),
      version: versionOf(object),
      status: 'SyncFailed',
      message,
      hookPhase: 'Failed',
      syncPhase: hook ?? 'Sync',
    });
  }

  /** What was waited for has ended so. A hook says what its health said. */
  ended({ object, hook }: Wanted, hookPhase: HookPhase, health: Health | undefined): void {
    const known = this.get(nameOf(object));
    if (!known) return;
    const message = hook && health?.message ? { message: health.message } : {};
    this.set(nameOf(object), { ...known, ...message, hookPhase });
  }

  /** What runs is ended by its health. False: something of it continues. */
  allEnded(healths: readonly (readonly [Wanted, Health])[]): boolean {
    const running = healths.filter(([wanted]) => this.isRunning(wanted));
    if (running.some(([, { status }]) => status === 'Progressing')) return false;
    for (const [wanted, health] of running)
      this.ended(wanted, health.status === 'Healthy' ? 'Succeeded' : 'Failed', health);
    return true;
  }

  isRunning({ object }: Wanted): boolean {
    return this.get(nameOf(object))?.hookPhase === 'Running';
  }
}

/** A hook goes at its end where its policy says so. */
export function sweepHook(
  objects: Objects,
  { object, hook }: Wanted,
  ended: 'HookSucceeded' | 'HookFailed',
): void {
  const policies = (object.metadata.annotations?.[DELETE_POLICY] ?? '').split(',');
  if (hook && policies.some((policy) => policy.trim() === ended)) removeNow(objects, object);
}

export function removeNow(objects: Objects, object: KubeObject): void {
  const now = objects.namesake(object);
  if (now) objects.remove(now);
}
