// The lease of a run after it was acquired: renewed in the background, and checked before each write. argocd-server has no
// fencing, so a write is sent only if the lease outlasts it.
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

/** Unless the environment sets another value. */
const LONG_REQUEST_MS = 30_000;
const RENEW_MS = 5_000;
const RETRY_MS = 1_000;
const RELEASE_ATTEMPTS = 3;

/** Both clocks: the monotonic one stops while a machine sleeps, the calendar can be set back. */
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
  /** Called when it has expired and cannot be renewed, once until it is renewed. */
  readonly onTrouble?: (problem: string) => void;
  /**
   * The duration for other processes, if more time may pass until the next one renews it; the renewal interval stays the
   * same.
   */
  readonly lastsMs?: number;
  /** Milliseconds that a slow request to Argo CD may take. */
  readonly requestMs?: number;
  /** For the process that completes the run: from its first renewal on, no other process of the run has the lease. */
  readonly ending?: string | undefined;
  readonly leased: LeasedRun;
  /** When the request was sent that acquired it. */
  readonly sent: Moment;
}

type Renewal = 'renewed' | 'conflict' | { readonly problem: string };

export class Lease {
  readonly #parts: LeaseParts;
  /** The start of its validity: when the last successful renewal was sent, not when it was answered. */
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

  /** Whether a request with this timeout may be sent now. */
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

  /** Sends a permitted write: the lease is not given back before it is answered or abandoned. */
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
   * Sends a slow request to Argo CD, once a write may be sent. The request is abandoned if the lease cannot be extended to
   * outlast it.
   */
  async sendLong<T>(action: (long: LongRequest) => Promise<T>): Promise<T> {
    return await this.#long.send(this.#parts.requestMs ?? LONG_REQUEST_MS, action);
  }

  /** These AppProjects have the run's hold: for its other processes, which did not put it up. Resolves when it is written. */
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

  /** Throws once it is lost or given back: it is no longer renewed, so waiting is pointless. */
  #assertKept(): void {
    if (this.#end.signal.aborted) throw this.#lost ?? this.#lostBecause('it was given back');
  }

  /** Gives it back. The next run with the same plan resumes an unfinished run under its id. */
  async release(as: Partial<LeasedRun> & { readonly finished: boolean }): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    await this.#attempt;
    const { leased, clock } = this.#parts;
    // A write that arrives later would change what another run has started.
    if (this.#underWay.size > 0)
      await Promise.race([Promise.allSettled(this.#underWay), clock.sleep(WRITE_DEADLINE_MS)]);
    for (let attempt = 0; attempt < RELEASE_ATTEMPTS; attempt++) {
      const result = await this.#write('', { ...leased, ...as, holds: [] });
      if (result === 'renewed' || this.#lost) return;
    }
  }

  /** Stops renewing without giving it back: another process of the same run continues with it. */
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

  /** Renews with the current data: a renewal in progress may not have it. Returns whether it was written. */
  async #renewAnew(): Promise<boolean> {
    await this.#attempt;
    if (this.#end.signal.aborted) return false;
    const before = this.#sent;
    await this.#renewNow();
    return this.#sent !== before;
  }

  /** One attempt at a time, for all callers. */
  #renewNow(): Promise<void> {
    this.#attempt ??= this.#renewUntilExpiry().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /**
   * Errors are tolerated: a process that cannot reach the API server writes nothing, and if no other run took the lease in
   * the meantime, it is renewed when the server is back.
   */
  async #renewUntilExpiry(): Promise<void> {
    const { clock, holder, leased } = this.#parts;
    const enough = new AbortController();
    // A process that slept past the expiry may still try once: if no other run took the lease in the meantime, it is
    // renewed.
    const left = Math.max(LEASE_DURATION_MS - this.#age(), WRITE_DEADLINE_MS);
    const late = clock.sleep(left, enough.signal).then(() => ({ problem: 'no answer' }));
    let renewal: Renewal = await Promise.race([this.#write(holder, leased), late]);
    if (renewal === 'conflict') {
      renewal = await Promise.race([this.#write(holder, leased), late]);
    }
    enough.abort();
    if (renewal === 'renewed') this.#inTrouble = false;
    if (renewal === 'renewed' || this.#age() < LEASE_DURATION_MS) return;
    // Processes of one run that renew it at the same moment conflict with each other, and none of them has lost it.
    this.#trouble(
      renewal === 'conflict' ? 'other processes write it at the same time' : renewal.problem,
    );
  }

  #trouble(problem: string): void {
    if (this.#inTrouble || this.#end.signal.aborted) return;
    this.#inTrouble = true;
    this.#parts.onTrouble?.(problem);
  }

  /** Reads first: only that shows whether it is still ours. */
  async #write(
    holder: string,
    content: LeasedRun & { readonly holds?: readonly string[] },
  ): Promise<Renewal> {
    const { leases, clock, platform } = this.#parts;
    try {
      const now = await leases.get(leaseName(platform));
      if (now?.holder !== this.#parts.holder) {
        this.#lose(now?.holder ? `${quote(now.holder)} took it over` : 'its holder was removed');
        return { problem: 'lost' };
      }
      if (this.#isOvertaken(endingOf(now))) {
        this.#lose('another process completes it');
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

  /** In whole seconds, the unit of a Lease. */
  #lastsMs(): number {
    const usual = this.#parts.lastsMs ?? LEASE_DURATION_MS;
    return Math.max(usual, Math.ceil(this.#long.needMs / 1000) * 1000);
  }

  #isOvertaken(ending: string | undefined): boolean {
    const own = this.#parts.ending;
    if (ending === undefined || ending === own) return false;
    return own === undefined || this.#hasRenewed;
  }

  /** The larger of the two clocks: setting the calendar forward costs a renewal, nothing more. */
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
        hint: 'It writes nothing more. Run the same command again to resume.',
      },
    ]);
  }
}
