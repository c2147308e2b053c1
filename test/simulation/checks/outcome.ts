// L4 of a run that says that all is well: it is, as Argo CD shows it. L2 of one that has the lease: it begins, or says why it does not.

import type { RunEvent } from '../../../src/run/events.ts';
import type { Change } from '../../../src/simulator/cluster/object-store.ts';
import type { Life } from '../life.ts';
import type { World } from '../seeded-world.ts';
import type { Truth } from '../truth.ts';
import { type Accuse, isHolder, type Witness } from '../witness.ts';
import { asleep, watchDelay } from './gates.ts';

export interface OutcomeParts {
  readonly world: World;
  readonly truth: Truth;
  readonly now: () => number;
  readonly accuse: Accuse;
  readonly by: 'process' | 'workflow';
}

/** From the last look at an application to the end of the run. */
const LOOK_MS = 15_000;
/** Until a hold that cannot be put up is given up, and some more. */
const BEGINS_MS = 340_000;

export class Outcomes implements Witness {
  readonly #parts: OutcomeParts;
  readonly #lives = new Map<string, Life>();
  /** Since when they have the lease and have begun nothing. */
  readonly #waiting = new Map<Life, number>();
  readonly #begun = new Set<Life>();
  /**
   * Argo CD's own operation has the time of a sync to end first. The beginning of a Workflow waits until all is held, and another one may
   * follow before the hold is written.
   */
  readonly #mostMs: number;

  constructor(parts: OutcomeParts) {
    this.#parts = parts;
    const { sync } = parts.world.platform.spec.timeouts;
    const syncs = parts.by === 'workflow' ? 2 : 1;
    this.#mostMs = BEGINS_MS + syncs * Number.parseInt(sync, 10) * 1000;
  }

  changed({ object }: Change): void {
    const { now, accuse } = this.#parts;
    if (object.kind === 'Lease') this.#leased(String(object.spec?.holderIdentity ?? ''));
    for (const [life, since] of this.#waiting) {
      if (now() - since <= this.#mostMs + asleep(life, now())) continue;
      accuse('L2', `${life.name} has the lease for ${this.#mostMs / 1000} s and begins nothing`);
      this.#waiting.delete(life);
    }
  }

  #leased(holder: string): void {
    const life = [...this.#lives.values()].find(({ name }) => isHolder(name, holder));
    if (life && !life.isOver && !this.#begun.has(life) && !this.#waiting.has(life))
      this.#waiting.set(life, this.#parts.now());
  }

  sent(life: Life): void {
    if (!this.#lives.has(life.name)) this.#lives.set(life.name, life);
  }

  happened(life: Life, event: RunEvent): void {
    if (event.type === 'run.finished' && event.exitStatus === 0) this.#saysGood(life);
    if (event.type !== 'node.started' && event.type !== 'run.finished') return;
    this.#waiting.delete(life);
    this.#begun.add(life);
  }

  ended(life: Life): void {
    this.#waiting.delete(life);
  }

  #saysGood(life: Life): void {
    const { world, truth, now, accuse } = this.#parts;
    const slack = LOOK_MS + watchDelay(world) + asleep(life, now());
    for (const name of world.planned) {
      if (world.reading.parents.has(name)) continue;
      const bad = truth.of(name).asShown.badFor(now());
      if (bad > slack)
        accuse('L4', `${life.name} ends with 0, and ${name} was not good for ${bad / 1000} s`);
    }
  }
}
