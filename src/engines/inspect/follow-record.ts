// Following a run of the embedded engine from another terminal: its record is read whenever it changes, and what is new is told. Nothing
// depends on the follower.
import { TiphysError } from '../../errors.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { type Report, reportOfRecord } from '../../report/run-report.ts';
import type { RunEvent } from '../../run/events.ts';
import { RunFold, sinceItStarted } from '../../run/run-state.ts';
import { interrupted } from '../../session/interrupted.ts';
import { readRun } from '../../session/record/history.ts';
import { activeRun } from './active-run.ts';

/** Between two looks; a record is written at most every two seconds. */
const BETWEEN_MS = 2_000;
/** How often the Lease may be free before the run is given up: one that takes over needs a while. */
const ABSENCES_MAX = 15;

export interface FollowRecordRequest {
  readonly plan: Plan;
  readonly run: string;
  readonly target: Cluster;
  readonly clock: Clock;
  readonly listen: (event: RunEvent) => void;
  /** Given when the user stops following. The run continues. */
  readonly signal: AbortSignal;
}

export async function followRecord(request: FollowRecordRequest): Promise<Report> {
  const { plan, run, target, clock, listen, signal } = request;
  let fold = new RunFold();
  /** How many of its events; undefined: it was not looked at yet. */
  let told: number | undefined;
  for (let absences = 0; ; ) {
    const isThere = (await activeRun(plan.platform, target, clock))?.run === run;
    const history = await readRun(target.store, plan.platform, run);
    const events = history?.events ?? [];
    // One that continues another has that one's record before its own.
    const own = sinceItStarted(events);
    // A run keeps the Lease until its record is complete: an end beside the Lease is that of the part which it resumes.
    const isEnd = own.some(({ type }) => type === 'run.finished');
    if (!isEnd || !isThere) {
      told ??= events.length - own.length;
      for (const event of events.slice(told)) {
        if (event.type === 'run.started') fold = new RunFold();
        fold.add(event);
        listen(event);
      }
      told = events.length;
    }
    if (isEnd && !isThere) return reportOfRecord(plan, fold.state);
    absences = isThere ? 0 : absences + 1;
    if (absences > ABSENCES_MAX) throw abandoned(run);
    await clock.sleep(BETWEEN_MS, signal);
    if (signal.aborted) throw interrupted();
  }
}

function abandoned(run: string): TiphysError {
  const message = `Run ${run} has no report: it was killed, or no longer renews its Lease.`;
  const hint = 'Applications on hold stay on hold. To resume the run, rerun its command.';
  return new TiphysError([{ code: 'run-unfinished', message, hint }]);
}
