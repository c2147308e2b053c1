// What became of each object of an operation, and of its hooks.
import { type KubeObject, nameOf, type Objects } from '../cluster/object-store.ts';
import type { ResultResource } from './application.ts';
import { namesOf } from './compare.ts';
import type { Wanted } from './desired.ts';
import type { Health } from './resource-health.ts';

type HookPhase = 'Running' | 'Succeeded' | 'Failed';

const DELETE_POLICY = 'argocd.argoproj.io/hook-delete-policy';

export class Results {
  readonly #results = new Map<string, ResultResource>();

  get list(): readonly ResultResource[] {
    return [...this.#results.values()];
  }

  clear(): void {
    this.#results.clear();
  }

  set(name: string, result: ResultResource): void {
    this.#results.set(name, result);
  }

  refused({ object, hook }: Wanted, message: string): void {
    this.#results.set(nameOf(object), {
      ...namesOf(object),
      version: object.apiVersion.split('/').at(-1),
      status: 'SyncFailed',
      message,
      hookPhase: 'Failed',
      syncPhase: hook ?? 'Sync',
    });
  }

  /** What was waited for has ended so. A hook says what its health said. */
  ended({ object, hook }: Wanted, hookPhase: HookPhase, health: Health | undefined): void {
    const known = this.#results.get(nameOf(object));
    if (!known) return;
    const message = hook && health?.message ? { message: health.message } : {};
    this.#results.set(nameOf(object), { ...known, ...message, hookPhase });
  }

  isRunning({ object }: Wanted): boolean {
    return this.#results.get(nameOf(object))?.hookPhase === 'Running';
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
