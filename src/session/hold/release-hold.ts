// Lifts a hold that a run left: Argo CD is in charge again, in any state of the application.
import type { ApplicationAddress } from '../../model/platform.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { acquireSession } from '../open-session.ts';
import { refreshHeld } from './refresh-held.ts';

export interface ReleaseRequest {
  readonly plan: Plan;
  readonly applications: readonly ApplicationAddress[];
  readonly target: Cluster;
  readonly clock: Clock;
  readonly runId: string;
  readonly holder: string;
  readonly signal: AbortSignal;
  /** There is no run, and so no record of it. */
  readonly warn: (message: string) => void;
  readonly onWait?: (message: string) => void;
}

/** Takes the Lease: an active run would lose its hold. */
export async function release(request: ReleaseRequest): Promise<void> {
  const { plan, applications, target } = request;
  const own = { basis: plan.hash, isShared: false, listen: () => {}, onTrouble: request.warn };
  const { session, previous } = await acquireSession({ ...request, ...own });
  const writer = session.holdWriter({ onTrouble: request.warn });
  const stop = () => writer.stop(session.lost.reason);
  session.lost.addEventListener('abort', stop);
  try {
    await writer.survey(applications);
    for (const application of applications) writer.release(application);
    await writer.flush();
    await refreshHeld(applications, target);
  } finally {
    writer.stop();
    // An unfinished run stays unfinished: the next run with that plan resumes it.
    await session.release(previous ?? { finished: true });
  }
}
