// The door: every write of a run passes here, and waits for four things in this order: its dependencies are ready; every automated
// sync that could overtake it is on hold; the run owns the platform for longer than the write can take; no signal has stopped it.
//
// A write that ends or continues what the run has started waits for no dependency: an unhealthy one must not keep an operation
// running whose time is up.
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
  /** Resolves when everything that the write depends on is ready; throws once that is impossible. */
  readonly dependenciesReady: () => Promise<void>;
  /** Resolves when every automated sync that could overtake the write is on hold. */
  readonly held: () => Promise<void>;
  /** Fires when everything must stop. */
  readonly signal: AbortSignal;
  /** If freshness counts: the maximum age in milliseconds of the checks when the write is sent. */
  readonly freshMs?: number;
}

export interface Sending {
  /** Checked last: whether the write is still wanted. */
  readonly confirm?: () => Promise<boolean>;
  /** Called right before it is sent. */
  readonly sending?: () => void;
  /** The checks do not stay valid for long: the write has the timeout of any other write. */
  readonly isShort?: boolean;
}

/** The maximum age in milliseconds of the look before a termination when that is sent. */
const LOOK_MS = 2_000;

/** `not-wanted`: it was not sent, because the last check failed. */
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

  /** Terminates an operation that blocks the next step. */
  terminateOther(address: ApplicationAddress): Promise<Sent> {
    return this.#begin({}, () => this.#raw.applications.terminate(address));
  }

  /**
   * Terminates an operation that timed out. Argo CD terminates any operation that runs at that moment: `isStill` is checked right
   * before it is sent.
   */
  terminateIf(address: ApplicationAddress, isStill: () => Promise<boolean>): Promise<Sent> {
    return this.#goOn(isStill, () => this.#raw.applications.terminate(address));
  }

  /** `cluster`, here and below: the name in destinations; '' is the cluster that runs Argo CD. */
  createSnapshot(cluster: string, snapshot: Named, claim: string): Promise<Sent> {
    return this.#begin({}, () => this.#raw.at(cluster).snapshots.create(snapshot, claim));
  }

  removeObject(cluster: string, resource: ResourceName, uid: string): Promise<Sent> {
    return this.#begin({}, () => this.#raw.at(cluster).objects.remove(resource, uid));
  }

  /** For an object whose deletion was already requested. */
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

  /** Both are checked again if the rest took longer than they stay valid. */
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
      // After the look, only the Lease is waited for: if that took long, the look is too old.
      looked = this.#clock.monotonic();
      await this.#leased();
    } while (this.#clock.monotonic() - looked > LOOK_MS);
    return await this.#lease.send(send);
  }

  /** Reads what the write needs before it waits: a read may take longer than a permit stays valid. */
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
