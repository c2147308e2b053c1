// The door: every write of a run goes through here, and waits for four things in this order. What it depends on is ready;
// whatever could overtake it is held; the run owns the platform for longer than the write can take; nobody has told it to stop.
//
// A write that ends or goes on with what the run has begun waits for no dependency: a fallen one must not keep an operation
// going that has had its time.
import type { ApplicationAddress } from '../../model/platform.ts';
import type { ResourceName } from '../../ports/application-view.ts';
import type { SyncRequest } from '../../ports/argocd-applications.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Named } from '../../ports/cluster-objects.ts';
import type { ApplicationSetView, Cluster, Target } from '../../ports/target.ts';
import type { LongRequest, WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../abandoned.ts';
import type { Lease } from '../lease/lease.ts';
import { rawPorts } from './raw-ports.ts';

export interface WriteGuards {
  /** Resolves when everything that the write depends on is ready; throws once it cannot be. */
  readonly dependenciesReady: () => Promise<void>;
  /** Resolves when whatever syncs by itself, and could overtake the write, is held. */
  readonly held: () => Promise<void>;
  /** Given when everything must stop. */
  readonly signal: AbortSignal;
  /** Where that counts: what was found ready and confirmed is this old at most, in milliseconds, when the write is sent. */
  readonly freshMs?: number;
}

export interface Sending {
  /** Asked last: whether the write is still wanted. */
  readonly confirm?: () => Promise<boolean>;
  /** Called right before it is sent. */
  readonly sending?: () => void;
  /** What was confirmed does not hold for long: it is given up as soon as any other write. */
  readonly isShort?: boolean;
}

/** What was seen right before a termination is this old at most when that is sent, in milliseconds. */
const LOOK_MS = 2_000;

/** `not-wanted`: it was not sent, since it was not confirmed. */
type Sent = WriteResult | { readonly kind: 'not-wanted' };

type DoorLease = Pick<Lease, 'awaitWritePermit' | 'send' | 'sendLong'>;

export interface DoorParts {
  readonly target: Cluster;
  readonly lease: DoorLease;
  readonly clock: Clock;
}

export class Writes {
  readonly #raw: Target;
  readonly #lease: DoorLease;
  readonly #clock: Clock;
  readonly #guards: WriteGuards;

  constructor({ target, lease, clock }: DoorParts, guards: WriteGuards) {
    this.#raw = rawPorts(target);
    this.#lease = lease;
    this.#clock = clock;
    this.#guards = guards;
  }

  /** Argo CD may need long for it. */
  requestSync(to: ApplicationAddress, asked: SyncRequest, sending: Sending): Promise<Sent> {
    if (sending.isShort)
      return this.#begin(sending, () => this.#raw.applications.requestSync(to, asked));
    return this.#beginLong(sending, (it) => this.#raw.applications.requestSync(to, asked, it));
  }

  removeApplication(address: ApplicationAddress, sending: Sending): Promise<Sent> {
    return this.#begin(sending, () => this.#raw.applications.remove(address));
  }

  /** Ends an operation that is in the way of what is to be done. */
  terminateOther(address: ApplicationAddress): Promise<Sent> {
    return this.#begin({}, () => this.#raw.applications.terminate(address));
  }

  /** Ends an operation whose time is up. Argo CD ends whatever runs by then: `isStill` is asked right before it is sent. */
  terminateIf(address: ApplicationAddress, isStill: () => Promise<boolean>): Promise<Sent> {
    return this.#goOn(isStill, () => this.#raw.applications.terminate(address));
  }

  /** `cluster`, here and below: as destinations call it; '' is Argo CD's own. */
  createSnapshot(cluster: string, snapshot: Named, claim: string): Promise<Sent> {
    return this.#begin({}, () => this.#raw.at(cluster).snapshots.create(snapshot, claim));
  }

  removeObject(cluster: string, resource: ResourceName, uid: string): Promise<Sent> {
    return this.#begin({}, () => this.#raw.at(cluster).objects.remove(resource, uid));
  }

  /** Of an object whose deletion was asked for already. */
  clearFinalizers(at: string, resource: ResourceName, uid: string): Promise<WriteResult> {
    return this.#goOnWith(() => this.#raw.at(at).objects.prepareFinalizerRemoval(resource, uid));
  }

  orphanApplicationSet(set: Pick<ApplicationSetView, 'name' | 'namespace' | 'uid'>): Promise<Sent> {
    return this.#begin({}, () => this.#raw.applicationSets.orphan(set));
  }

  #beginLong(sending: Sending, send: (it: LongRequest) => Promise<WriteResult>): Promise<Sent> {
    const { signal } = this.#guards;
    const begin = (it: LongRequest) =>
      send({ ...it, signal: AbortSignal.any([it.signal, signal]) });
    return this.#begin(sending, () => this.#lease.sendLong(begin));
  }

  async #begin({ confirm, sending }: Sending, send: () => Promise<WriteResult>): Promise<Sent> {
    const isWanted = await (this.#guards.freshMs === undefined
      ? this.#readyThenWanted(confirm)
      : this.#readyAndWanted(confirm, this.#guards.freshMs));
    if (!isWanted) return { kind: 'not-wanted' };
    sending?.();
    return await this.#lease.send(send);
  }

  async #readyThenWanted(confirm: Sending['confirm']): Promise<boolean> {
    await this.#guards.dependenciesReady();
    await this.#permitted();
    if (!confirm) return true;
    if (!(await confirm())) return false;
    await this.#permitted();
    return true;
  }

  /** Both are asked again where the rest took longer than they are good for. */
  async #readyAndWanted(confirm: Sending['confirm'], freshMs: number): Promise<boolean> {
    for (;;) {
      const [isWanted] = await Promise.all([confirm?.() ?? true, this.#guards.dependenciesReady()]);
      if (!isWanted) return false;
      if ((await this.#timePermitted()) <= freshMs) return true;
    }
  }

  /** How long it had to wait, in milliseconds. */
  async #timePermitted(): Promise<number> {
    const before = this.#clock.monotonic();
    await this.#permitted();
    return this.#clock.monotonic() - before;
  }

  async #goOn(isStill: () => Promise<boolean>, send: () => Promise<WriteResult>): Promise<Sent> {
    let looked: number;
    do {
      await this.#guards.held();
      if (!(await isStill())) return { kind: 'not-wanted' };
      // Only the Lease is waited for after the look: where that took long, the look is too old.
      looked = this.#clock.monotonic();
      await this.#leased();
    } while (this.#clock.monotonic() - looked > LOOK_MS);
    return await this.#lease.send(send);
  }

  /** What the write needs is read before it waits: a read may take longer than a permit is good. */
  async #goOnWith(prepare: () => Promise<() => Promise<WriteResult>>): Promise<WriteResult> {
    const send = await prepare();
    await this.#permitted();
    return await this.#lease.send(send);
  }

  async #permitted(): Promise<void> {
    await this.#guards.held();
    await this.#leased();
  }

  async #leased(): Promise<void> {
    await this.#lease.awaitWritePermit();
    if (this.#guards.signal.aborted) throw new Abandoned();
  }
}
