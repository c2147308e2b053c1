// How far an Application has gone, and when to say that it hangs: which object, which finalizer, who should serve it.
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
  /** Of the Application that was approved; undefined: it was gone already. */
  readonly uid: string | undefined;
  /** What goes with it. */
  readonly resources: readonly ResourceName[];
  /** Who serves a finalizer, as far as that is known. */
  readonly servedBy: (resource: ResourceName) => readonly string[];
  /** The cluster that has them; '' is Argo CD's own. */
  readonly cluster: string;
  readonly objects: ObjectReads;
  /** What must be done before it goes; returns what keeps it from going. */
  readonly prepare: (context: NodeContext) => Promise<string | undefined>;
  /** Seconds without any progress after which it hangs. */
  readonly stuckAfter: number;
  /** Takes the finalizers off what hangs. */
  readonly unsafe: boolean;
}

export interface Left {
  readonly resource: ResourceName;
  readonly object: PresentObject;
}

/** What may not be read is Argo CD's word: it lets its Application go only when nothing is left. */
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
  return view ? 'Argo CD has not let its Application go yet' : 'nothing is left';
}

/** How many of them are named. */
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

  /** Something was done about it. */
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
    return { message: `nothing has happened for ${seconds} s: ${describeLeft(view, left)}` };
  }

  #waits({ resource, object }: Left): string {
    const since = isoTime((object.deletingSince ?? 0) * 1000);
    const by = this.#removal.servedBy(resource);
    const who =
      by.length > 0
        ? `, which ${by.join(' or ')} should serve`
        : ', which nobody is known to serve';
    return `${renderResource(resource)} is being deleted since ${since} and waits for its finalizer ${object.finalizers.join(', ')}${who}`;
  }
}
