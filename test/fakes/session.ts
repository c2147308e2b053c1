// A session over a cluster in memory, as a run has it once it owns its platform and has begun.
import type { Plan } from '../../src/plan/plan.ts';
import { acquireSession } from '../../src/session/open-session.ts';
import type { Session } from '../../src/session/session.ts';
import type { World } from './run-world.ts';

export async function sessionIn(world: World, plan: Plan): Promise<Session> {
  const { target, clock, events } = world;
  const request = { plan, basis: 'basis', target, clock, runId: 'r1', holder: 'h' };
  const signal = new AbortController().signal;
  const { session } = await clock.until(
    acquireSession({
      ...request,
      isShared: false,
      signal,
      listen: (event) => events.push(event),
    }),
  );
  session.begin(plan, 'embedded');
  // What comes after it is what tests are about.
  events.splice(0);
  return session;
}
