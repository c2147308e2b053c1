// Lifting a hold that a run left: Argo CD is in charge again, whatever state the application is in.
import type { ApplicationAddress } from '../../model/platform.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Target } from '../../ports/target.ts';
import { acquireLease } from '../lease/acquire-lease.ts';
import { HoldKeeper } from './hold-keeper.ts';

export interface ReleaseRequest {
  readonly plan: Plan;
  readonly applications: readonly ApplicationAddress[];
  readonly target: Target;
  readonly clock: Clock;
  readonly runId: string;
  readonly holder: string;
  readonly signal: AbortSignal;
}

/** Takes the Lease for it: a run that is going on would lose its hold. */
export async function release(request: ReleaseRequest): Promise<void> {
  const { plan, applications, target, clock, runId, holder, signal } = request;
  const { lease, run, previous } = await acquireLease({
    platform: plan.platform,
    plan: plan.hash,
    run: runId,
    holder,
    leases: target.leases,
    clock,
    signal,
    onLost: (error) => keeper.stop(error),
  });
  const keeper = new HoldKeeper({
    platform: plan.platform,
    run,
    projects: target.projects,
    clock,
    mayWrite: (deadline) => lease.mayWrite(deadline),
    leavesWindows: async () => true,
    onChange: () => {},
    onLost: () => {},
  });
  try {
    await keeper.survey(applications);
    for (const application of applications) keeper.release(application);
    await keeper.flush();
    // One that is gone, or cannot be reached now, needs no look, or gets one a little later.
    await Promise.all(
      applications.map((address) => target.applications.refresh(address).catch(() => undefined)),
    );
  } finally {
    keeper.stop();
    // What was unfinished before stays so: the next run with that plan goes on with it.
    await lease.release(previous ?? { finished: true });
  }
}
