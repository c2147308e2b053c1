// The end of a teardown by a Workflow: deletes what no Application owns, and reports the remaining objects. What is gone is read
// from the cluster; the record is only used for the report.

import { countsOf } from '../../report/tally.ts';
import { heldApplications } from '../../session/hold/held.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { lookAtTheRest, teardownStatus } from '../teardown/teardown-end.ts';
import { heldPlan } from '../teardown/teardown-spec.ts';
import type { Ending } from './ending.ts';
import type { PodTeardown } from './pod.ts';

export async function endTeardown(ending: Ending, teardown: PodTeardown): Promise<void> {
  const { request, session, stop } = ending;
  const { end, reason } = stop;
  const { plan, target } = request;
  const isLookedAt = end === 'done' && (await lastLook(ending, teardown));
  const exitStatus = await teardownStatus(session, plan, end, isLookedAt);
  const held = (await heldApplications(heldPlan(plan, teardown), target))
    .filter(({ isGone }) => !isGone)
    .map(({ id }) => id);
  session.assertOwned();
  const counts = countsOf(plan, session.state.nodes);
  session.emit({ type: 'run.finished', exitStatus, reason, counts, held });
}

const NOTHING_SEEN = { last: () => undefined, all: () => [] };

async function lastLook({ request, session }: Ending, teardown: PodTeardown) {
  const { target, signal } = request;
  const { approved } = teardown;
  const views = await Promise.all(
    approved.applications.map(async (one) => ({
      id: one.id,
      view: await target.applications.get(one),
    })),
  );
  const gone = new Set(views.filter(({ view }) => view === undefined).map(({ id }) => id));
  const held = heldPlan(request.plan, teardown);
  const names = new Set(held.nodes.flatMap(({ application }) => application ?? []));
  // It is not extended any more: it must only still exist.
  const hold = session.sharedHold(held, names, NOTHING_SEEN, signal);
  const snapshots = new ClaimSnapshots(target, approved);
  return await lookAtTheRest({
    spec: teardown,
    session,
    signal,
    isGone: (id) => gone.has(id),
    held: () => hold.check(),
    snapshots: await snapshots.find(session.identity.id),
  });
}
