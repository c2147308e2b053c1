// Kubernetes refuses a read or write of an AppProject. An authorizer, a webhook or a policy may be wrong for a moment, and
// the hold would stay forever: so the request is retried for a while before the refusal counts.
import { codeOf, TiphysError } from '../../errors.ts';
import { renderDuration } from '../../model/duration.ts';
import type { Clock } from '../../ports/clock.ts';
import { isoTime } from '../../run/iso-time.ts';

/** The API server caches a denial of an authorizer for half a minute. */
const REFUSED_MS = 120_000;
/** A refusal that lasts longer than this is reported. */
const TOLD_MS = 3_000;
/** Then with increasing delays. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const CODES: ReadonlySet<string | undefined> = new Set([
  'cluster-forbidden',
  'cluster-unauthorized',
  'hold-not-written',
]);

export const isRefusal = (error: unknown): error is TiphysError =>
  error instanceof TiphysError && CODES.has(codeOf(error));

export interface RefusalParts {
  readonly clock: Clock;
  /** Receives what is retried and why, once for each answer. */
  readonly onTrouble: (message: string) => void;
  /** Fires when nothing may be retried any more. */
  readonly signal: AbortSignal;
}

export class Refusals {
  readonly #parts: RefusalParts;
  /** The time of the first refusal in a row. */
  #since: { readonly monotonic: number; readonly time: string } | undefined;
  #times = 0;
  #told = '';

  constructor(parts: RefusalParts) {
    this.#parts = parts;
  }

  /** Immediately throws errors other than refusals; throws a refusal only when it lasts. */
  async bear<T>(attempt: () => Promise<T>): Promise<T> {
    const { clock, signal } = this.#parts;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!isRefusal(error) || signal.aborted) throw error;
        this.#note(error);
        await clock.sleep(
          Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#times - 1)),
          signal,
        );
        if (signal.aborted) throw error;
      }
    }
  }

  /** Whether the last answer was a refusal. */
  get isOngoing(): boolean {
    return this.#times > 0;
  }

  /** Another answer arrived: the next refusal is the first again. */
  end(): void {
    this.#since = undefined;
    this.#times = 0;
  }

  #note(error: TiphysError): void {
    const { clock, onTrouble } = this.#parts;
    const now = clock.monotonic();
    this.#since ??= { monotonic: now, time: isoTime(clock.now()).slice(11, 19) };
    this.#times++;
    const lasted = now - this.#since.monotonic;
    if (lasted >= REFUSED_MS) throw lasting(error, this.#times, lasted);
    const message = `${error.message.replace(/\.$/, '')}; retrying since ${this.#since.time} UTC`;
    if (lasted < TOLD_MS || message === this.#told) return;
    this.#told = message;
    onTrouble(message);
  }
}

function lasting(error: TiphysError, times: number, ms: number): TiphysError {
  const how = `Kubernetes refused it ${times} times in ${renderDuration(Math.round(ms / 1000))}.`;
  const told = error.diagnostics.map((one) => ({ ...one, message: `${one.message} ${how}` }));
  return new TiphysError(told, { cause: error });
}
