// What can go wrong in a rehearsal, as data. `fault-table.ts` has the words, the classes of the catalogue and the defaults;
// the parts of the simulated cluster look here for what concerns them.

/** `api`: of Kubernetes and of argocd-server. `token`: for Argo CD. `project`: the AppProjects of the platform's Applications. */
export type Subject = 'api' | 'watch' | 'token' | 'tiphys' | 'app' | 'argocd' | 'git' | 'project';

/**
 * What can be said of a fault beside its subject and effect. `at`: seconds since the beginning of the rehearsal, from the
 * beginning on where it is not said. `after`: seconds since the application's sync began. `for`: seconds that it lasts, to the
 * end or as the effect has it where it is not said. `every`: seconds from one time to the next. `by`: seconds, also backwards.
 * `factor`: how much slower, or how many times. `rate`: of requests or events, from 0 to 1.
 */
export type Term = 'at' | 'after' | 'for' | 'every' | 'by' | 'factor' | 'rate';

export interface Fault extends Readonly<Partial<Record<Term, number | undefined>>> {
  readonly subject: Subject;
  /** The application, where the subject is one. */
  readonly name?: string | undefined;
  /** One of those of the table for this subject. */
  readonly effect: string;
}

/** Whether it is in force at this moment (seconds since the beginning). */
export function isOn(
  { at = 0, for: lasts = Number.POSITIVE_INFINITY }: Fault,
  seconds: number,
): boolean {
  return seconds >= at && seconds < at + lasts;
}
