// Time, as it is handed in. The real one is made in main.ts, the rehearsal has a virtual one.

export interface Clock {
  /** Milliseconds of the calendar, for showing and for records only. */
  readonly now: () => number;
  /** Milliseconds that never jump, for every duration and deadline. */
  readonly monotonic: () => number;
  /** Ends early, without an error, when the signal is given. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
