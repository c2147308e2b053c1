// The end of a teardown by a Workflow: what no Application has goes, what is left is told. What is gone is asked of the
// cluster; the record only says what to report.

import { countsOf, outcomesOf } from '../../report/tally.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { heldApplications } from '../../session/hold/held.ts';
import { forgetApproval } from '../teardown/approval.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { lookAtTheRest, teardownStatus } from '../teardown/teardown-end.ts';
import { heldPlan } from '../teardown/teardown-order.ts';
import type { Ending } from './ending.ts';
import type { PodTeardown } from './pod.ts';

export async function endTeardown(ending: Ending, teardown: PodTeardown): Promise<void> {
  const { request, joined, fold, emit, stop } = ending;
  const { end, reason } = stop;
  const { plan, target } = request;
  const { lease } = joined;
  const isLookedAt = end === 'done' && (await lastLook(ending, teardown));
  const { nodes, leftovers } = fold.state;
  const status = exitStatusOf({ outcomes: outcomesOf(plan, nodes), end });
  const isClean = isLookedAt && leftovers.every(({ announced }) => announced);
  if (status === 0 && isClean && lease.mayWrite())
    await forgetApproval(target.store, plan.platform);
  const held = (await heldApplications(heldPlan(plan, teardown), target))
    .filter(({ isGone }) => !isGone)
    .map(({ id }) => id);
  if (lease.lost) throw lease.lost;
  const exitStatus = teardownStatus(status, isClean);
  emit({ type: 'run.finished', exitStatus, reason, counts: countsOf(plan, nodes), held });
}

async function lastLook({ request, joined, emit }: Ending, teardown: PodTeardown) {
  const { target, clock, signal } = request;
  const { approved } = teardown;
  const views = await Promise.all(
    approved.applications.map(async (one) => ({
      id: one.id,
      view: await target.applications.get(one),
    })),
  );
  const gone = new Set(views.filter(({ view }) => view === undefined).map(({ id }) => id));
  const snapshots = new ClaimSnapshots(target.snapshots, approved.snapshots);
  return await lookAtTheRest({
    ...{ order: teardown, target, clock, emit, signal },
    isGone: (id) => gone.has(id),
    permit: () => joined.lease.permit(),
    snapshots: await snapshots.find(joined.run),
  });
}
