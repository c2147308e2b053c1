// What a script may use up. A script that reaches a limit ends; it cannot catch that.

export interface Limits {
  /** Statements, loops, calls, and each character that a pattern looks at. */
  readonly steps: number;
  /** By the clock, as Argo CD has it: on a busy machine steps may take long. */
  readonly milliseconds: number;
  /** All that is ever made, not what is still in use. */
  readonly bytes: number;
  /** Calls inside calls, as many as gopher-lua allows. */
  readonly calls: number;
}

/** Well under a second on a slow machine, and a hundred times what any check that Argo CD has needs. */
export const LIMITS: Limits = {
  steps: 1_000_000,
  milliseconds: 1000,
  bytes: 32 * 1024 * 1024,
  calls: 256,
};

export class LimitError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LimitError';
  }
}

const STEPS_BETWEEN_LOOKS = 1000;

export class Meter {
  readonly #limits: Limits;
  readonly #monotonic: () => number;
  readonly #end: number;
  #steps = 0;
  #looked = 0;
  #bytes = 0;

  constructor(limits: Limits, monotonic: () => number) {
    this.#limits = limits;
    this.#monotonic = monotonic;
    this.#end = monotonic() + limits.milliseconds;
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.#limits.steps) {
      throw new LimitError(`it does not end: stopped after ${this.#limits.steps} steps`);
    }
    if (this.#steps < this.#looked) return;
    this.#looked = this.#steps + STEPS_BETWEEN_LOOKS;
    if (this.#monotonic() > this.#end) {
      throw new LimitError(`it takes too long: stopped after ${this.#limits.milliseconds} ms`);
    }
  }

  /** Before the memory is taken. */
  take(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) {
      const megabytes = this.#limits.bytes / 1024 / 1024;
      throw new LimitError(`it needs too much memory: stopped at ${megabytes} MB`);
    }
  }

  get calls(): number {
    return this.#limits.calls;
  }
}
