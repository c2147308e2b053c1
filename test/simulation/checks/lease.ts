// S5: no write is sent after one's own lease has expired, and no AppProject write of one who lost it is carried out.

import type { Carried } from '../../../src/rehearsal/rehearsal.ts';
import type { Change } from '../../../src/simulator/cluster/object-store.ts';
import type { TransportRequest } from '../../../src/targets/transport.ts';
import type { Life } from '../life.ts';
import { type Accuse, isHolder, type Witness, writeOf } from '../witness.ts';

const LEASE_MS = 15_000;
/** A write may be on its way for so long. */
const DEADLINE_MS = 5_000;

const UNAUTHENTICATED = 401;

export class Leases implements Witness {
  readonly #now: () => number;
  readonly #accuse: Accuse;
  /** Requests for the lease on their way -> when they were sent. */
  readonly #asked = new Map<TransportRequest['body'], number>();
  /** Holder -> when its last renewal that was carried out had been sent. */
  readonly #renewed = new Map<string, number>();
  /** Writes -> when they were sent. */
  readonly #sent = new Map<string, number>();
  /** Those that were refused for their token -> when they began: they may be sent again within their own time. */
  readonly #refused = new Map<string, number>();
  #holder = '';

  constructor(now: () => number, accuse: Accuse) {
    this.#now = now;
    this.#accuse = accuse;
  }

  changed({ object }: Change): void {
    if (object.kind === 'Lease') this.#holder = String(object.spec?.holderIdentity ?? '');
  }

  sent({ name }: Life, request: TransportRequest): void {
    const write = writeOf(request);
    if (!write) return;
    if (write.kind === 'lease') {
      this.#asked.set(request.body, this.#now());
      return;
    }
    const age = this.#now() - (this.#renewed.get(name) ?? Number.NEGATIVE_INFINITY);
    const left = LEASE_MS - age;
    const key = keyOf(name, request);
    this.#sent.set(key, this.#now());
    const own = Math.max(0, (this.#refused.get(key) ?? this.#now()) + DEADLINE_MS - this.#now());
    // The record may be written in two steps; nobody acts on it.
    if (left < (write.kind === 'record' ? 0 : own || DEADLINE_MS)) {
      const what = `${write.kind} ${'application' in write ? write.application : ''}`;
      this.#accuse('S5', `${name} sent a write (${what}) ${left} ms before its lease expired`);
    }
  }

  carried({ who, request, answer }: Carried): void {
    const write = writeOf(request);
    const key = keyOf(who, request);
    const begun = this.#refused.get(key) ?? this.#sent.get(key) ?? this.#now();
    if (answer.status === UNAUTHENTICATED) this.#refused.set(key, begun);
    else this.#refused.delete(key);
    if (!write || answer.status >= 300) return;
    if (write.kind === 'lease') {
      const spec = (request.body as { spec?: { holderIdentity?: string } }).spec;
      const sent = this.#asked.get(request.body) ?? this.#now();
      if (isHolder(who, spec?.holderIdentity ?? '')) this.#renewed.set(who, sent);
      else this.#renewed.delete(who);
    }
    if (write.kind === 'project' && !isHolder(who, this.#holder))
      this.#accuse(
        'S5',
        `an AppProject write of ${who} was carried out; ${this.#holder} has the lease`,
      );
  }
}

const keyOf = (who: string, { method, path }: TransportRequest): string =>
  [who, method, path].join(' ');
