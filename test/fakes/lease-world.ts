// A Lease in memory, a virtual clock, and runs that want it.

import type { TiphysError } from '../../src/errors.ts';
import { acquireLease, type LeaseRequest } from '../../src/session/lease/acquire-lease.ts';
import type { Lease } from '../../src/session/lease/lease.ts';
import { FakeLeases } from './cluster.ts';
import { VirtualClock } from './virtual-clock.ts';

export const LEASE = 'tiphys-shop';

/** Of a lease that lasts as long as anything takes. */
export const sendLong: Lease['sendLong'] = (action) =>
  action({ extension: new Promise(() => {}), signal: new AbortController().signal });

export const send: Lease['send'] = (action) => action();

export class LeaseWorld {
  readonly clock = new VirtualClock();
  readonly leases = new FakeLeases();
  readonly losses: TiphysError[] = [];
  readonly troubles: string[] = [];

  readonly request = (part: Partial<LeaseRequest> = {}): LeaseRequest => ({
    platform: 'shop',
    plan: 'sha256:1',
    run: 'r1',
    holder: 'laptop/1',
    leases: this.leases.api,
    clock: this.clock,
    signal: new AbortController().signal,
    onLost: (error) => this.losses.push(error),
    onTrouble: (problem) => this.troubles.push(problem),
    ...part,
  });

  readonly acquire = (part?: Partial<LeaseRequest>) =>
    this.clock.until(acquireLease(this.request(part)));

  /** Somebody else writes it. */
  readonly rewrite = (part: { holder?: string; durationSeconds?: number } = {}): void => {
    const now = this.leases.peek(LEASE);
    if (now) this.leases.put({ ...now, ...part });
  };

  /** The process of this lease is dead: it renews no more. */
  readonly kill = async (lease: Lease): Promise<void> => {
    const now = this.leases.peek(LEASE);
    await lease.release({ finished: false });
    if (now) this.leases.put(now);
  };
}
