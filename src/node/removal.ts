// The progress of a deletion, and the report when it is stuck: which object, which finalizer, which controller.
import {
  type ApplicationView,
  type ResourceName,
  renderResource,
} from '../ports/application-view.ts';
import type { Clock } from '../ports/clock.ts';
import type { ObjectReads, PresentObject } from '../ports/cluster-objects.ts';
import { isoTime } from '../run/iso-time.ts';
import type { NodeContext } from './node-context.ts';

export interface Removal {
  /** The uid of the approved Application; undefined: it was already gone. */
  readonly uid: string | undefined;
  /** The resources that are deleted with it. */
  readonly resources: readonly ResourceName[];
  /** The controller of a finalizer, if known. */
  readonly servedBy: (resource: ResourceName) => readonly string[];
  /** The cluster that has them; '' is the one that runs Argo CD. */
  readonly cluster: string;
  readonly objects: ObjectReads;
  /** What must be done before the deletion; returns what prevents it. */
  readonly prepare: (context: NodeContext) => Promise<string | undefined>;
  /** Seconds without progress after which it counts as stuck. */
  readonly stuckAfter: number;
  /** Removes the finalizers from stuck objects. */
  readonly unsafe: boolean;
}

export interface Left {
  readonly resource: ResourceName;
  readonly object: PresentObject;
}

/** For resources that must not be read, Argo CD is trusted: it removes its Application only when nothing is left. */
export async function whatIsLeft({
  resources,
  objects,
}: Pick<Removal, 'resources' | 'objects'>): Promise<Left[]> {
  const found = await Promise.all(
    resources.map(async (resource) => ({ resource, object: await objects.get(resource) })),
  );
  return found.flatMap(({ resource, object }) =>
    object === undefined || object === 'unknown' ? [] : [{ resource, object }],
  );
}

export function describeLeft(view: ApplicationView | undefined, left: readonly Left[]): string {
  const [first] = left;
  if (first) return `${left.length} left, such as ${renderResource(first.resource)}`;
  return view ? 'Argo CD has not removed the Application yet' : 'nothing is left';
}

/** The number of objects that the message names. */
const NAMED = 3;

export class Hanging {
  readonly #removal: Removal;
  readonly #clock: Clock;
  #last = '';
  #since: number;

  constructor(removal: Removal, clock: Clock) {
    this.#removal = removal;
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Whether nothing has changed for too long. */
  since(view: ApplicationView | undefined, left: readonly Left[]): boolean {
    const now = this.#clock.monotonic();
    const conditions = view?.conditions.map(({ type, message }) => `${type} ${message}`);
    const signature = JSON.stringify([view?.deleting, view?.finalizers, conditions, left]);
    if (signature !== this.#last) this.#since = now;
    this.#last = signature;
    return this.quietMs >= this.#removal.stuckAfter * 1000;
  }

  /** For how long nothing has changed. */
  get quietMs(): number {
    return this.#clock.monotonic() - this.#since;
  }

  /** Restarts the time: something was done about it. */
  goOn(): void {
    this.#since = this.#clock.monotonic();
  }

  problem(
    view: ApplicationView | undefined,
    left: readonly Left[],
  ): { readonly message: string; readonly resource?: string } {
    const held = left.filter(
      ({ object }) => object.deletingSince !== undefined && object.finalizers.length > 0,
    );
    const [first] = held;
    if (first) {
      const message = held.slice(0, NAMED).map((one) => this.#waits(one));
      const more = held.length > NAMED ? [`and ${held.length - NAMED} more`] : [];
      return {
        message: [...message, ...more].join('; '),
        resource: renderResource(first.resource),
      };
    }
    const error = view?.conditions.find(({ type }) => type === 'DeletionError');
    if (error) return { message: `Argo CD cannot delete it: ${error.message}` };
    const seconds = this.#removal.stuckAfter;
    return { message: `no progress for ${seconds} s: ${describeLeft(view, left)}` };
  }

  #waits({ resource, object }: Left): string {
    const since = isoTime((object.deletingSince ?? 0) * 1000);
    const by = this.#removal.servedBy(resource);
    const who =
      by.length > 0 ? `, which ${by.join(' or ')} should remove` : ', whose controller is unknown';
    return `${renderResource(resource)} has been terminating since ${since} and waits for its finalizer ${object.finalizers.join(', ')}${who}`;
  }
}
