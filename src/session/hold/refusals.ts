// Kubernetes refuses to let an AppProject be read or written. An authorizer, a webhook or a policy may be wrong for a moment, and what
// is held would stay held: so the request is sent again for a while, and then the refusal counts.
import { codeOf, TiphysError } from '../../errors.ts';
import { renderDuration } from '../../model/duration.ts';
import type { Clock } from '../../ports/clock.ts';
import { isoTime } from '../../run/iso-time.ts';

/** The API server keeps what an authorizer has denied for half a minute. */
const REFUSED_MS = 120_000;
/** What has lasted for so long is worth a word. */
const TOLD_MS = 3_000;
/** Then less and less often. */
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
  /** Told what is tried again and why, once for each answer. */
  readonly onTrouble: (message: string) => void;
  /** Given when nothing is to be tried any more. */
  readonly signal: AbortSignal;
}

export class Refusals {
  readonly #parts: RefusalParts;
  /** Of the first one in a row. */
  #since: { readonly monotonic: number; readonly time: string } | undefined;
  #times = 0;
  #told = '';

  constructor(parts: RefusalParts) {
    this.#parts = parts;
  }

  /** Throws what is not a refusal at once, and a refusal that lasts. */
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

  /** The last answer was one. */
  get isOngoing(): boolean {
    return this.#times > 0;
  }

  /** Another answer came: the next one is the first again. */
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
    const message = `${error.message.replace(/\.$/, '')}; it is tried again since ${this.#since.time} UTC`;
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
