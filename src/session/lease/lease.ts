// The lease of a run, once it has it: renewed in the background, and asked before each write. argocd-server knows no
// fencing, so a write is sent only while one's own lease outlasts it.
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Leases } from '../../ports/lease-store.ts';
import { type LongRequest, WRITE_DEADLINE_MS } from '../../ports/write-result.ts';
import {
  endingOf,
  holdsOf,
  LEASE_DURATION_MS,
  type LeasedRun,
  leaseFor,
  leaseName,
} from './lease-data.ts';
import { LongRequests } from './long-requests.ts';

/** Unless the environment says otherwise. */
const LONG_REQUEST_MS = 30_000;
const RENEW_MS = 5_000;
const RETRY_MS = 1_000;
const RELEASE_ATTEMPTS = 3;

/** Both clocks: the monotonic one stands still while a machine sleeps, the calendar can be set back. */
interface Moment {
  readonly monotonic: number;
  readonly calendar: number;
}

export function momentOf(clock: Clock): Moment {
  return { monotonic: clock.monotonic(), calendar: clock.now() };
}

export interface LeaseParts {
  readonly platform: string;
  readonly holder: string;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly onLost: (error: TiphysError) => void;
  /** Called when it has expired and cannot be renewed, once until it is. */
  readonly onTrouble?: (problem: string) => void;
  /** For others, where it may be longer until the next one renews it; it is still renewed as often. */
  readonly lastsMs?: number;
  /** Milliseconds that a request may take for which Argo CD needs longer. */
  readonly requestMs?: number;
  /** Where it brings the run to its end: from its first renewal on, no other process of the run has the lease. */
  readonly ending?: string | undefined;
  readonly leased: LeasedRun;
  /** When the request was sent that made it ours. */
  readonly sent: Moment;
}

type Renewal = 'renewed' | 'conflict' | { readonly problem: string };

export class Lease {
  readonly #parts: LeaseParts;
  /** It is valid for its duration from here on: when the last renewal that succeeded was sent, not when it was answered. */
  #sent: Moment;
  #lost: TiphysError | undefined;
  readonly #end = new AbortController();
  #attempt: Promise<void> | undefined;
  /** Writes that were sent and not answered. */
  readonly #underWay = new Set<Promise<unknown>>();
  #inTrouble = false;
  #hasRenewed = false;
  readonly #long: LongRequests;
  readonly #holds = new Set<string>();
  /** How many of them are written. */
  #marked = 0;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#sent = parts.sent;
    const { clock } = parts;
    this.#long = new LongRequests({ clock, end: this.#end.signal, renew: () => this.#renewAnew() });
    void this.#keep();
  }

  /** Whether a request that is given up after so long may be sent now. */
  mayWrite(deadlineMs: number = WRITE_DEADLINE_MS): boolean {
    return !this.#end.signal.aborted && LEASE_DURATION_MS - this.#age() > deadlineMs;
  }

  /** Waits until a write may be sent: after a pause the lease is renewed first. Throws once it is lost. */
  async awaitWritePermit(): Promise<void> {
    while (!this.mayWrite()) {
      this.#assertKept();
      await this.#renewNow();
      if (!this.mayWrite()) await this.#parts.clock.sleep(RETRY_MS, this.#end.signal);
    }
  }

  /** Sends a write that is permitted: the lease is not given back before it is answered or given up. */
  async send<T>(action: () => Promise<T>): Promise<T> {
    const answer = action();
    this.#underWay.add(answer);
    try {
      return await answer;
    } finally {
      this.#underWay.delete(answer);
    }
  }

  /**
   * Sends a request that Argo CD may need longer for, once a write may be sent. It is given up where the lease cannot be made to
   * outlast it.
   */
  async sendLong<T>(action: (long: LongRequest) => Promise<T>): Promise<T> {
    return await this.#long.send(this.#parts.requestMs ?? LONG_REQUEST_MS, action);
  }

  /** These AppProjects have the run's hold: for its other processes, who have not seen it put up. Resolves when it is written. */
  async mark(projects: Iterable<string>): Promise<void> {
    for (const project of projects) this.#holds.add(project);
    while (this.#marked < this.#holds.size) {
      this.#assertKept();
      await this.#renewAnew();
      if (this.#marked < this.#holds.size)
        await this.#parts.clock.sleep(RETRY_MS, this.#end.signal);
    }
  }

  get lost(): TiphysError | undefined {
    return this.#lost;
  }

  /** Throws once it is lost or given back: it is not renewed any more, and nothing can be waited for. */
  #assertKept(): void {
    if (this.#end.signal.aborted) throw this.#lost ?? this.#lostBecause('it was given back');
  }

  /** Gives it back. An unfinished run is continued, under its id, by the next one with the same plan. */
  async release(as: Partial<LeasedRun> & { readonly finished: boolean }): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    await this.#attempt;
    const { leased, clock } = this.#parts;
    // One that arrives later would change what another run has begun.
    if (this.#underWay.size > 0)
      await Promise.race([Promise.allSettled(this.#underWay), clock.sleep(WRITE_DEADLINE_MS)]);
    for (let attempt = 0; attempt < RELEASE_ATTEMPTS; attempt++) {
      const result = await this.#write('', { ...leased, ...as, holds: [] });
      if (result === 'renewed' || this.#lost) return;
    }
  }

  /** Renews it no more, and does not give it back: another process of the same run goes on with it. */
  async detach(): Promise<void> {
    this.#end.abort();
    await this.#attempt;
  }

  async #keep(): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#end;
    let wait = RENEW_MS;
    while (!signal.aborted) {
      await clock.sleep(wait, signal);
      if (signal.aborted) return;
      const before = this.#sent;
      await this.#renewNow();
      wait =
        this.#sent === before ? RETRY_MS : RENEW_MS - (clock.monotonic() - this.#sent.monotonic);
    }
  }

  /** With what is known now: an attempt that is under way may be without it. Whether it was written. */
  async #renewAnew(): Promise<boolean> {
    await this.#attempt;
    if (this.#end.signal.aborted) return false;
    const before = this.#sent;
    await this.#renewNow();
    return this.#sent !== before;
  }

  /** One attempt at a time, whoever asks for it. */
  #renewNow(): Promise<void> {
    this.#attempt ??= this.#renewUntilExpiry().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /**
   * Errors are borne: whoever cannot reach the API server writes nothing, and where nobody has taken the lease meanwhile
   * it is renewed when the server is back.
   */
  async #renewUntilExpiry(): Promise<void> {
    const { clock, holder, leased } = this.#parts;
    const enough = new AbortController();
    // Somebody who slept past the expiry may still try once: if nobody took the lease meanwhile, it is renewed.
    const left = Math.max(LEASE_DURATION_MS - this.#age(), WRITE_DEADLINE_MS);
    const late = clock.sleep(left, enough.signal).then(() => ({ problem: 'no answer' }));
    let renewal: Renewal = await Promise.race([this.#write(holder, leased), late]);
    if (renewal === 'conflict') {
      renewal = await Promise.race([this.#write(holder, leased), late]);
    }
    enough.abort();
    if (renewal === 'renewed') this.#inTrouble = false;
    if (renewal === 'renewed' || this.#age() < LEASE_DURATION_MS) return;
    // Processes of one run that renew it all at once are in each other's way, and none of them has lost it.
    this.#trouble(renewal === 'conflict' ? 'others write it at the same time' : renewal.problem);
  }

  #trouble(problem: string): void {
    if (this.#inTrouble || this.#end.signal.aborted) return;
    this.#inTrouble = true;
    this.#parts.onTrouble?.(problem);
  }

  /** Reads first: only that tells whether it is still ours. */
  async #write(
    holder: string,
    content: LeasedRun & { readonly holds?: readonly string[] },
  ): Promise<Renewal> {
    const { leases, clock, platform } = this.#parts;
    try {
      const now = await leases.get(leaseName(platform));
      if (now?.holder !== this.#parts.holder) {
        this.#lose(now?.holder ? `${quote(now.holder)} took it over` : 'it was taken away');
        return { problem: 'lost' };
      }
      if (this.#isOvertaken(endingOf(now))) {
        this.#lose('another process brings it to its end');
        return { problem: 'lost' };
      }
      const sent = momentOf(clock);
      const marked = this.#holds.size;
      const holds = [...holdsOf(now), ...this.#holds];
      const next = leaseFor(
        now.name,
        now,
        holder,
        { holds: new Set(holds), ending: holder && this.#parts.ending, ...content },
        sent.calendar,
        this.#lastsMs(),
      );
      const result = await leases.update({ ...next, resourceVersion: now.resourceVersion });
      if (result.kind === 'done') {
        this.#sent = sent;
        this.#hasRenewed = true;
        this.#marked = marked;
        return 'renewed';
      }
      if (result.kind === 'refused' && result.reason === 'conflict') return 'conflict';
      return { problem: result.message };
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** In whole seconds, as a Lease has them. */
  #lastsMs(): number {
    const usual = this.#parts.lastsMs ?? LEASE_DURATION_MS;
    return Math.max(usual, Math.ceil(this.#long.needMs / 1000) * 1000);
  }

  #isOvertaken(ending: string | undefined): boolean {
    const own = this.#parts.ending;
    if (ending === undefined || ending === own) return false;
    return own === undefined || this.#hasRenewed;
  }

  /** Of the two clocks the one that says more: setting the clock forward costs a renewal, and no more. */
  #age(): number {
    const { monotonic, calendar } = momentOf(this.#parts.clock);
    return Math.max(monotonic - this.#sent.monotonic, calendar - this.#sent.calendar);
  }

  #lose(why: string): void {
    if (this.#lost) return;
    this.#lost = this.#lostBecause(why);
    this.#end.abort();
    this.#parts.onLost(this.#lost);
  }

  #lostBecause(why: string): TiphysError {
    const { leased, platform } = this.#parts;
    return new TiphysError([
      {
        code: 'lease-lost',
        message: `Run ${leased.run} no longer owns platform ${quote(platform)}: ${why}.`,
        hint: 'It writes nothing more. Run the same command again: it goes on where this one stopped.',
      },
    ]);
  }
}
