// How a run's outcomes become one number.
import { EXIT, type ExitStatus } from '../errors.ts';
import type { Outcome, RunEnd } from './events.ts';

export interface Ending {
  readonly outcomes: Iterable<Outcome>;
  readonly end: RunEnd;
}

export function exitStatusOf({ outcomes, end }: Ending): ExitStatus {
  const all = [...outcomes];
  const good = all.filter((outcome) => outcome !== 'failed' && outcome !== 'skipped');
  if (end === 'time-up') return EXIT.timeout;
  if (end === 'done' && good.length === all.length) return EXIT.ok;
  if (end === 'done' && good.length === 0) return EXIT.failure;
  return EXIT.partial;
}
