// The first event of a run, for every engine.
import type { Plan } from '../plan/plan.ts';
import type { EventBody } from '../run/events.ts';
import type { StartedBy } from '../run/started-by.ts';

export function runStarted(
  plan: Plan,
  engine: string,
  resumed: boolean,
  startedBy: StartedBy | undefined,
): EventBody {
  return {
    type: 'run.started',
    action: plan.action,
    platform: plan.platform,
    plan: plan.hash,
    engine,
    scope: plan.scope,
    nodes: plan.nodes.length,
    expectedDuration: plan.expectedDuration,
    resumed,
    ...(startedBy && { startedBy }),
  };
}
