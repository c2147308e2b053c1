// A complete teardown in this process: ownership, hold, generators, nodes, objects that no Application owns, record.

import { TiphysError } from '../../errors.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { shortName } from '../../plan/platform-graph.ts';
import type { Report } from '../../report/run-report.ts';
import { requireClusterName } from '../../session/cluster-name.ts';
import { heldApplications } from '../../session/hold/held.ts';
import { foundBy } from '../../session/hold/hold-found.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import type { Session } from '../../session/session.ts';
import { Slots } from '../slots.ts';
import { approvedPlan } from '../teardown/approved-plan.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { stopMakers } from '../teardown/stop-makers.ts';
import { keepApproval } from '../teardown/stored-inventory.ts';
import { lookAtTheRest, teardownStatus } from '../teardown/teardown-end.ts';
import {
  heldPlan,
  parentsThatMake,
  removeNode,
  type TeardownSpec,
} from '../teardown/teardown-spec.ts';
import { PlanWalk } from '../walk-plan.ts';
import { asOneRun, type RunFrame, type RunRequest } from './run-frame.ts';

export interface TeardownRequest extends RunRequest, TeardownSpec {
  /** The teardown of the whole platform. */
  readonly whole: Plan;
}

export async function teardown(request: TeardownRequest): Promise<Report> {
  const { approved, clusterName, target } = request;
  await requireClusterName(clusterName, target);
  const plan = approvedPlan(request.plan, approved);
  const whole = approvedPlan(request.whole, approved);
  const all = { ...request, plan, whole };
  // A run that resumes a teardown must have the same approval.
  return await asOneRun(all, approved.hash, (frame) => run(all, frame));
}

async function run(request: TeardownRequest, frame: RunFrame): Promise<void> {
  const { plan, whole, concurrency, clock, target, approved, abort } = request;
  const { session } = frame;
  frame.begin();
  const held = heldPlan(plan, request);
  const watch = await session.watch(namespacesOf(held));
  const found = foundBy(watch, held, request.deployment);
  const hold = frame.holdOn(watch, { ...found, plan: held, keep: true });
  const heldNow = () => heldIn(held, request, frame, hold);
  try {
    const isReady = await frame.prepare((signal) => prepare(request, session, hold, signal));
    if (!isReady && session.lost.aborted) throw session.lost.reason;
    if (!isReady && frame.end !== 'time-up') throw interrupted('No Application was deleted.');
  } catch (error) {
    // For a run that lost its platform or its hold, what is on hold is unknown.
    throw session.lost.aborted ? error : tellingHeld(error, await heldNow());
  }
  const snapshots = new ClaimSnapshots(target, approved);
  const heldFor =
    ({ application }: PlanNode) =>
    async () => {
      await hold.untilHeld(new Set([application ?? '', ...parentsThatMake(request)]));
      await hold.ensure();
    };
  await frame.through((signal) => {
    // An Application is deleted the moment its last dependent is gone.
    return new PlanWalk({
      plan,
      rank: 'longest-first',
      slots: new Slots(concurrency),
      clock,
      emit: session.emit,
      perform: ({ node, emit }) => {
        const parts = { session, node, watch, signal, emit, held: heldFor(node) };
        return removeNode(parts, whole, request, snapshots);
      },
    });
  });
  const { nodes } = session.state;
  const isLookedAt =
    frame.end === 'done' &&
    (await lookAtTheRest({
      spec: request,
      session,
      signal: AbortSignal.any([abort, session.lost]),
      isGone: (id) => nodes.get(id)?.outcome === 'removed',
      held: () => hold.ensure(),
      snapshots: snapshots.taken,
    }));
  await frame.settle();
  const status = await teardownStatus(session, plan, frame.end, isLookedAt);
  frame.finish(status, await heldNow());
}

/** According to the AppProjects; if they can no longer be read, according to this run. */
async function heldIn(
  plan: Plan,
  { target }: TeardownRequest,
  frame: RunFrame,
  hold: RunHold,
): Promise<string[]> {
  const found = await frame.inTime(heldApplications(plan, target).catch(() => undefined));
  // It says nothing about parts of the platform that this run does not hold.
  return found?.flatMap(({ id, isGone }) => (isGone ? [] : [id])) ?? hold.heldNodes();
}

/** There is no report that would say so. */
function tellingHeld(error: unknown, held: readonly string[]): unknown {
  if (!(error instanceof TiphysError) || held.length === 0) return error;
  const names = held.map(shortName).join(', ');
  const stays = `Still on hold: ${names}. The next run takes over the hold; \`tiphys release\` lifts it.`;
  const [first, ...others] = error.diagnostics;
  return new TiphysError(
    first ? [{ ...first, details: [...(first.details ?? []), stays] }, ...others] : [],
    { cause: error },
  );
}

/** Everything that could recreate an Application is stopped before the first deletion. */
async function prepare(
  request: TeardownRequest,
  session: Session,
  hold: RunHold,
  ending: AbortSignal,
): Promise<void> {
  const { approved } = request;
  await hold.prepare();
  await hold.ensure();
  await keepApproval(session, approved);
  const held = () => hold.untilHeld(parentsThatMake(request));
  await held();
  const signal = AbortSignal.any([ending, session.lost]);
  await stopMakers(approved.makers, session, { held, signal }, ending);
}
