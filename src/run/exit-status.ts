// How a run's outcomes become one number.
import { EXIT, type ExitStatus } from '../errors.ts';
import type { Outcome, RunEnd } from './events.ts';

export interface Ending {
  readonly outcomes: Iterable<Outcome>;
  readonly end: RunEnd;
  /** The order was bypassed, and that counts. */
  readonly bypassed?: boolean;
}

export function exitStatusOf({ outcomes, end, bypassed }: Ending): ExitStatus {
  const all = [...outcomes];
  const good = all.filter((outcome) => outcome !== 'failed' && outcome !== 'skipped');
  if (end === 'time-up') return EXIT.timeout;
  if (end === 'done' && good.length === all.length) return bypassed ? EXIT.partial : EXIT.ok;
  if (end === 'done' && good.length === 0) return EXIT.failure;
  return EXIT.partial;
}
