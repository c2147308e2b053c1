// What no Application has, at the end of a teardown: namespaces that Argo CD made, and definitions of kinds where these are
// to go. Only those that were approved, by uid, and only when nothing is left in or of them.
import type { Definition, Inventory, MadeNamespace } from '../../inventory/inventory.ts';
import { type ResourceName, renderResource } from '../../ports/application-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ListedObject, ObjectReads, Unlisted } from '../../ports/cluster-objects.ts';
import type { Emit } from '../../run/events.ts';
import { type Leftover, leftover } from '../../run/leftover.ts';
import type { Writes } from '../../session/writes/writes.ts';

export interface CleanUpParts {
  readonly approved: Inventory;
  readonly objects: ObjectReads;
  readonly clock: Clock;
  readonly stuckAfter: number;
  readonly emit: Emit;
  /** Whether a node's Application is gone. */
  readonly isGone: (id: string) => boolean;
  readonly writes: Pick<Writes, 'removeObject'>;
  readonly signal: AbortSignal;
}

const OBJECT_POLL_MS = 1_000;
const SETTLED_MS = 30_000;

export class CleanUp {
  readonly #parts: CleanUpParts;

  constructor(parts: CleanUpParts) {
    this.#parts = parts;
  }

  /** What is left of what was to go. */
  async run(): Promise<Leftover[]> {
    const { approved, isGone } = this.#parts;
    const allGone = approved.applications.every(({ id }) => isGone(id));
    const namespaces = allGone ? approved.namespaces.filter(({ why }) => why === null) : [];
    const definitions = approved.definitions.filter(() => allGone);
    const left = [
      ...(await Promise.all(namespaces.map((one) => this.#namespace(one)))),
      ...(await Promise.all(definitions.map((one) => this.#definition(one)))),
    ];
    return left.flat();
  }

  async #namespace({ name, uid }: MadeNamespace): Promise<Leftover[]> {
    const resource = { group: '', kind: 'Namespace', namespace: '', name };
    const inside = await this.#settled(() => this.#parts.objects.contents(name));
    if ('unlisted' in inside)
      return this.#kept(resource, `what is in it is not known: ${inside.unlisted}`);
    const [first, ...others] = inside;
    if (first) return this.#kept(resource, `${someOf(first, others)} in it`);
    return await this.#remove(resource, uid);
  }

  /** Kubernetes' collectors are given a moment for what belonged to something that is gone. */
  async #settled(read: () => Promise<readonly ListedObject[] | Unlisted>) {
    const { clock, signal } = this.#parts;
    for (const end = clock.monotonic() + SETTLED_MS; ; ) {
      const all = await read();
      if ('unlisted' in all) return all;
      const left = all.filter((one) => !isKubernetesOwn(one));
      const isOver = clock.monotonic() >= end || signal.aborted;
      if (isOver || left.length === 0) return left;
      await clock.sleep(OBJECT_POLL_MS, signal);
    }
  }

  async #definition({ defines, uid, group, kind, name }: Definition): Promise<Leftover[]> {
    const resource = { group, kind, namespace: '', name };
    const all = await this.#settled(async () => {
      const listed = await this.#parts.objects.list(defines);
      return listed === 'unknown'
        ? { unlisted: 'the objects of its kind may not be read' }
        : listed;
    });
    if ('unlisted' in all) return this.#kept(resource, all.unlisted);
    const [first, ...others] = all;
    if (first) return this.#kept(resource, `${someOf(first, others)} of its kind`);
    return await this.#remove(resource, uid);
  }

  async #remove(resource: ResourceName, uid: string): Promise<Leftover[]> {
    const { objects, clock, stuckAfter, signal, writes, emit } = this.#parts;
    const now = await objects.get(resource);
    if (now === undefined) return [];
    if (now === 'unknown') return this.#kept(resource, 'it may not be read');
    if (now.uid !== uid) return this.#kept(resource, 'it is another one than was approved');
    const result = await writes.removeObject(resource, uid);
    if (result.kind === 'refused' && result.reason !== 'not-found')
      return this.#kept(resource, result.message);
    emit({ type: 'object.delete-requested', resource });
    for (const end = clock.monotonic() + stuckAfter * 1000; clock.monotonic() < end; ) {
      const there = await objects.get(resource);
      if (there === undefined || there === 'unknown' || there.uid !== uid) {
        emit({ type: 'object.removed', resource });
        return [];
      }
      await clock.sleep(OBJECT_POLL_MS, signal);
      if (signal.aborted) break;
    }
    return this.#kept(resource, 'it does not go');
  }

  #kept(resource: ResourceName, why: string): Leftover[] {
    return [leftover(resource, why, false)];
  }
}

function someOf(first: ListedObject, others: readonly ListedObject[]): string {
  const more = others.length > 0 ? ` and ${others.length} more are` : ' is';
  return `${renderResource(first)}${more}`;
}

/** What Kubernetes makes in every namespace, and what tells of the past only. */
function isKubernetesOwn({ group, kind, name }: ListedObject): boolean {
  const own = [
    ['ConfigMap', 'kube-root-ca.crt'],
    ['ServiceAccount', 'default'],
  ];
  if (kind === 'Event') return true;
  return group === '' && own.some(([first, second]) => kind === first && name === second);
}
