// How long a plan takes when only so many applications are in progress at the same time. The schedule is the engine's own, so that the
// forecast starts what a run would start.
import type { Plan, PlanNode } from '../plan/plan.ts';
import { type Rank, Schedule } from '../run/schedule.ts';

/** Beyond it the forecast would take longer than it is worth. */
const RANKED_MAX = 2_000;

/** Seconds, by the times that nodes take. */
export function makespan(plan: Plan, times: ReadonlyMap<string, number>, slots: number): number {
  return makespanOf(plan, times, slots, rankFor(plan, slots));
}

/** The longest way first is hardly ever beaten, but it can be: then the plan is done as it comes. */
export function rankFor(plan: Plan, slots: number): Rank {
  const work = plan.nodes.filter(({ application }) => application !== null);
  if (slots >= work.length || work.length > RANKED_MAX) return 'longest-first';
  const times = new Map(plan.nodes.map(({ id, expectedDuration }) => [id, expectedDuration]));
  const [longest, first] = (['longest-first', 'first-come'] as const).map((rank) =>
    makespanOf(plan, times, slots, rank),
  );
  return (first ?? 0) < (longest ?? 0) ? 'first-come' : 'longest-first';
}

function makespanOf(
  plan: Plan,
  times: ReadonlyMap<string, number>,
  slots: number,
  rank: Rank,
): number {
  const schedule = new Schedule(plan, rank);
  /** Those in progress, the first to end last. */
  const running: { readonly id: string; readonly end: number }[] = [];
  let now = 0;
  const start = ({ id }: PlanNode) => {
    schedule.start(id);
    const end = now + (times.get(id) ?? 0);
    const at = running.findLastIndex((other) => other.end >= end);
    running.splice(at + 1, 0, { id, end });
  };
  for (;;) {
    const joins = pass(schedule, start, () => slots - running.length);
    if (joins > 0) continue;
    const next = running.at(-1);
    if (!next) return now;
    now = next.end;
    while (running.at(-1)?.end === now) schedule.open(running.pop()?.id ?? '');
  }
}

/** Starts what may start and has room; says how many joins opened, behind which there may be more. */
function pass(schedule: Schedule, start: (node: PlanNode) => void, room: () => number): number {
  let joins = 0;
  for (const node of schedule.ready()) {
    if (node.application === null) {
      schedule.open(node.id);
      joins++;
    } else if (room() > 0) {
      start(node);
    }
  }
  return joins;
}
