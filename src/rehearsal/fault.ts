// What can go wrong in a rehearsal, as data. `fault-table.ts` has the words, the classes of the catalogue and the defaults;
// the parts of the simulated cluster look here for what concerns them.

export type Subject = 'app' | 'api' | 'watch' | 'argocd' | 'git' | 'token' | 'project' | 'tiphys';

export interface Fault {
  readonly subject: Subject;
  /** The application, where the subject is one. */
  readonly name?: string | undefined;
  /** One of those of the table for this subject. */
  readonly effect: string;
  /** Seconds since the beginning of the rehearsal; undefined: from the beginning on. */
  readonly at?: number | undefined;
  /** Seconds since the application's sync began. */
  readonly after?: number | undefined;
  /** Seconds that it lasts; undefined: to the end, or as the effect has it. */
  readonly for?: number | undefined;
  /** Seconds from one time to the next. */
  readonly every?: number | undefined;
  /** Seconds, also backwards. */
  readonly by?: number | undefined;
  /** How much slower, or how many times. */
  readonly factor?: number | undefined;
  /** Of requests or events, from 0 to 1. */
  readonly rate?: number | undefined;
}

/** Whether it is in force at this moment (seconds since the beginning). */
export function isOn(
  { at = 0, for: lasts = Number.POSITIVE_INFINITY }: Fault,
  seconds: number,
): boolean {
  return seconds >= at && seconds < at + lasts;
}
