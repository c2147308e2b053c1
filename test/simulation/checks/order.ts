// The order in truth: no object of an application changes, by whoever's hand, before everything that the application depends on is good. Read from
// the objects of the cluster alone; what Tiphys asks for, tells or believes is not looked at.
import type { Operation } from '../../../src/simulator/argocd/application.ts';
import type { Change, KubeObject } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import { VERSION } from '../land.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import type { Truth } from '../truth.ts';
import { type Accuse, operationIn, type Witness, writeOf } from '../witness.ts';
import { asleep, isDeceived, PICTURE_MS, watchDelay } from './gates.ts';
import type { Guard } from './guard.ts';

type Hand = 'Tiphys' | 'Argo CD' | 'somebody';

interface Begun {
  readonly at: number;
  readonly hand: Hand;
  /** Nobody could have prevented it. */
  readonly isExcused: boolean;
  readonly asker: Life | undefined;
}

export interface OrderParts {
  readonly world: World;
  readonly truth: Truth;
  readonly guard: Guard;
  readonly now: () => number;
  readonly accuse: Accuse;
}

export class Order implements Witness {
  readonly #parts: OrderParts;
  readonly #makers = new Map<string, string>();
  /** Application -> its operation that has not ended. */
  readonly #operations = new Map<string, Begun>();
  readonly #askers = new Map<string, Life>();
  readonly #delay: number;
  #since = Number.POSITIVE_INFINITY;
  /** Changes on what Argo CD showed, and was not so in truth. */
  deceived = 0;
  /** Changes out of order that could not be prevented. */
  excused = 0;

  constructor(parts: OrderParts) {
    this.#parts = parts;
    this.#delay = watchDelay(parts.world) + PICTURE_MS;
    for (const [parent, children] of parts.world.reading.children)
      for (const child of children) this.#makers.set(child, parent);
  }

  /** From now on the platform is to be deployed in order. */
  begin(): void {
    this.#since = this.#parts.now();
  }

  sent(life: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (write?.kind !== 'sync') return;
    const id = operationIn((write.body as { infos?: unknown }).infos);
    if (id !== undefined) this.#askers.set(id, life);
  }

  changed(change: Change): void {
    if (change.object.kind === 'Application') this.#operationOf(change);
    const name = this.#ownerOf(change.object);
    if (name === undefined || this.#parts.now() < this.#since || !isWish(change)) return;
    if (this.#parts.world.planned.has(name)) this.#judge(name, nameOf(change.object));
  }

  /** What begins and ends on an application. */
  #operationOf({ type, object }: Change): void {
    const { name } = object.metadata;
    const operation = object.operation as Operation | undefined;
    if (type === 'DELETED' || !operation) {
      this.#operations.delete(name);
      return;
    }
    if (this.#operations.has(name)) return;
    const id = operationIn(operation.info);
    const automated = operation.initiatedBy?.automated === true;
    this.#operations.set(name, {
      at: this.#parts.now(),
      hand: id !== undefined ? 'Tiphys' : automated ? 'Argo CD' : 'somebody',
      isExcused: id === undefined && (!automated || this.#parts.guard.isLeftOut(name)),
      asker: this.#askers.get(id ?? ''),
    });
  }

  #judge(name: string, object: string): void {
    const { world, truth, now, accuse } = this.#parts;
    const operation = this.#operations.get(name);
    // After its gate Argo CD may do with it what Git says.
    if (operation?.hand !== 'Tiphys' && truth.isThrough(name)) return;
    const early = [...(world.reading.gates.get(name) ?? [])].filter((dependency) =>
      this.#isEarly(dependency, operation),
    );
    const [dependency] = early;
    if (dependency === undefined) return;
    if (operation?.isExcused) this.excused++;
    else if (operation?.hand === 'Tiphys' && isDeceived(world, truth.of(dependency), now()))
      this.deceived++;
    else {
      const hand = operation?.hand ?? 'nobody known';
      accuse(
        'order',
        `${object} of ${name} was changed (${hand}) while ${dependency} was not good`,
      );
    }
  }

  /** It was not good, neither now nor when the operation began, as far as that could be seen then. */
  #isEarly(dependency: string, operation: Begun | undefined): boolean {
    const { truth, now } = this.#parts;
    const begun = operation?.at ?? now();
    const slept = operation?.asker ? asleep(operation.asker, begun) : 0;
    const delay = operation?.hand === 'Tiphys' ? this.#delay + slept : 0;
    return truth.of(dependency).inTruth.badFor(now()) > now() - begun + delay;
  }

  /** The application whose sync has made it so. */
  #ownerOf({ kind, metadata }: KubeObject): string | undefined {
    const { name } = metadata;
    if (kind === 'Deployment') return name.replace(/-first$/, '');
    if (kind === 'Job') return name.replace(/-before$/, '');
    const maker = kind === 'Application' ? this.#makers.get(name) : undefined;
    // One that somebody makes anew by hand is no parent's doing.
    return maker !== undefined && this.#operations.has(maker) ? maker : undefined;
  }
}

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind} ${metadata.name}`;

/** Something else is wanted of it than before; its status alone is not. */
function isWish({ type, object, before }: Change): boolean {
  if (type === 'DELETED') return false;
  if (!before) return true;
  if (object.kind === 'Application') return false;
  const { generation, annotations } = object.metadata;
  const then = before.metadata;
  return generation !== then.generation || annotations?.[VERSION] !== then.annotations?.[VERSION];
}
