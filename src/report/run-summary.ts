// A run in one line.
import type { Action } from '../plan/plan.ts';
import type { StartedBy } from '../run/started-by.ts';

export interface RunSummary {
  readonly run: string;
  /** The plan's hash. */
  readonly plan: string;
  /** Absent: its record does not say it. */
  readonly action?: Action;
  /** ISO 8601. */
  readonly started: string;
  /** Who started it first. Absent: its record does not say it. */
  readonly startedBy?: StartedBy;
  /** Undefined: it is still going on, or was killed. */
  readonly exitStatus: number | undefined;
  /** Its beginning or its end is not what its events say: nothing is known of how it ended. */
  readonly isDamaged?: true;
}
