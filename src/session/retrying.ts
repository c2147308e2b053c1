// A request that is retried: what it is, the last answer, since when and how often.
import { renderDuration } from '../model/duration.ts';
import type { Clock } from '../ports/clock.ts';
import { isoTime } from '../run/iso-time.ts';

const SILENT_MS = 5_000;

export class Retrying {
  readonly #clock: Clock;
  readonly #request: string;
  /** When the first failure in a row was sent. */
  #since: { readonly monotonic: number; readonly time: string } | undefined;
  #times = 0;
  #answer = '';

  /** `request` begins the sentence: `PATCH of the AppProject "platform"`. */
  constructor(clock: Clock, request: string) {
    this.#clock = clock;
    this.#request = request;
  }

  /** The request is sent now. `tell` is called if the first one has had no answer for a few seconds. */
  async sent<T>(answer: Promise<T>, tell: (message: string) => void): Promise<T> {
    if (this.#times === 0) this.#since = undefined;
    const { time } = this.#begun();
    const answered = new AbortController();
    void this.#clock.sleep(SILENT_MS, answered.signal).then(() => {
      if (answered.signal.aborted || this.#times > 0) return;
      tell(`${this.#request}: no answer since ${time} UTC`);
    });
    try {
      return await answer;
    } finally {
      answered.abort();
    }
  }

  /** The request failed and is retried. `answer`: why, as in `HTTP 500`, `no answer within 5 s`. */
  failed(answer: string): void {
    this.#begun();
    this.#times++;
    this.#answer = answer;
  }

  succeeded(): void {
    this.#times = 0;
    this.#since = undefined;
  }

  /** How many times in a row. */
  get times(): number {
    return this.#times;
  }

  get lastedMs(): number {
    return this.#clock.monotonic() - this.#begun().monotonic;
  }

  /** The same text while the same answer comes back. */
  get ongoing(): string {
    return `${this.#request}: ${this.#answer}; retrying since ${this.#begun().time} UTC`;
  }

  /** For the final message. */
  get summary(): string {
    const times = this.#times === 1 ? 'once' : `${this.#times} times`;
    const lasted = renderDuration(Math.round(this.lastedMs / 1000));
    return `${this.#request} failed ${times} in ${lasted}; last answer: ${this.#answer}`;
  }

  #begun(): { readonly monotonic: number; readonly time: string } {
    this.#since ??= {
      monotonic: this.#clock.monotonic(),
      time: isoTime(this.#clock.now()).slice(11, 19),
    };
    return this.#since;
  }
}
