// Whether the time of a run is enough for what the plan expects, and what to set it to where it is not.
import { LONGEST_DURATION, renderDuration } from '../model/duration.ts';
import type { Plan } from '../plan/plan.ts';
import type { Times } from './forecast.ts';
import { makespan } from './makespan.ts';

/** Beyond it the schedule is not played through: a plan must be printed within a second. */
const SCHEDULED_MAX = 500;
/** Some applications are slower than expected, and putting the hold up takes time, too. */
const RESERVE = 1.5;
const STEP = 10 * 60;

/** Seconds that a deployment takes, by the times that nodes take. */
export function expectedRunTime(
  plan: Plan,
  concurrency: number,
  times: Times = new Map(plan.nodes.map(({ id, expectedDuration }) => [id, expectedDuration])),
): number {
  if (plan.nodes.length <= SCHEDULED_MAX) return makespan(plan, times, concurrency);
  const work = plan.nodes.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0);
  return Math.max(plan.expectedDuration, Math.ceil(work / concurrency));
}

/** Undefined where the time is enough. `setting` is where it comes from. */
export function runTimeWarning(
  { action, runTimeout, nodes }: Pick<Plan, 'action' | 'runTimeout' | 'nodes'>,
  expected: number,
  setting: 'timeouts.run' | '--timeout' = 'timeouts.run',
): string | undefined {
  // It is unknown how long deletions take.
  if (action !== 'deploy' || expected <= runTimeout) return undefined;
  const [takes, has, longest] = [expected, runTimeout, LONGEST_DURATION].map(renderDuration);
  const wanted = Math.min(Math.ceil((expected * RESERVE) / STEP) * STEP, LONGEST_DURATION);
  const advice =
    wanted > expected
      ? `set ${setting} to ${renderDuration(wanted)}`
      : `split the platform, because the maximum is ${longest}`;
  const asks = nodes.some(({ gate }) => gate.approval !== undefined);
  const without = asks ? ', not counting approvals' : '';
  return `the deployment is expected to take about ${takes}${without}, but ${setting} is ${has}: ${advice}`;
}
