// What the pods of a Workflow have in common. Each is a process of one run: the Lease is held in the Workflow's name, and
// whichever pod is there renews it; each writes a part of the record.
import { TiphysError } from '../../errors.ts';
import type { Policy } from '../../inventory/inventory.ts';
import { quote } from '../../model/names.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Target } from '../../ports/target.ts';
import { WRITE_DEADLINE_MS } from '../../ports/write-result.ts';
import type { Emit, RunEvent } from '../../run/events.ts';
import { isoTime } from '../../run/iso-time.ts';
import { HoldKeeper } from '../../session/hold/hold-keeper.ts';
import { Lease, momentOf } from '../../session/lease/lease.ts';
import { endingOf, LEASE_DURATION_MS, leaseName, runOf } from '../../session/lease/lease-data.ts';
import { Recorder } from '../../session/record/recorder.ts';
import { heldPlan, type TeardownOrder } from '../teardown/teardown-order.ts';

export interface PodRequest {
  readonly plan: Plan;
  /** The plan of the whole platform, whatever the scope. */
  readonly whole: Plan;
  /** The hash of what is carried out: of the plan, or of the approved inventory. */
  readonly basis: string;
  /** Where it is one. */
  readonly teardown?: PodTeardown | undefined;
  readonly target: Target;
  readonly clock: Clock;
  /** NAMESPACE/NAME/UID: the Lease's holder. */
  readonly workflow: string;
  readonly listen: (event: RunEvent) => void;
  /** Given when the pod is asked to end. */
  readonly signal: AbortSignal;
}

export interface NodeRequest extends PodRequest {
  readonly id: string;
  /** The run that the beginning gave its pods. */
  readonly run: string;
  /** Milliseconds since 1970. */
  readonly runStartedAt: number;
  /** The layers before have ended, whatever came of them. */
  readonly layered: boolean;
}

export interface PodTeardown extends TeardownOrder {
  /** Without what nobody expects, as its inventory is taken. */
  readonly planned: { readonly plan: Plan; readonly whole: Plan };
  readonly policy: Policy;
}

/** Where Applications are that its nodes look at: of a teardown also the parents outside of its scope. */
export function podNamespaces({ plan, teardown }: PodRequest): readonly string[] {
  const held = teardown ? namespacesOf(heldPlan(plan, teardown)) : [];
  return [...new Set([...namespacesOf(plan), ...held])];
}

/** Between two pods nobody renews: the next one has to be scheduled, and the controller may be restarted. */
export const GAP_MS = 60_000;

export const holderOf = (workflow: string): string => `workflow ${workflow}`;

export interface JoinedLease {
  readonly lease: Lease;
  readonly run: string;
}

/** Undefined where the Workflow does not have the Lease: it never had, or another run took it. */
export async function joinLease(
  { plan, basis, target, clock, workflow }: PodRequest,
  onLost: (error: TiphysError) => void,
  ending?: string,
): Promise<JoinedLease | undefined> {
  const found = await target.leases.get(leaseName(plan.platform));
  const leased = found && runOf(found);
  if (!leased || found.holder !== holderOf(workflow) || leased.plan !== basis) return undefined;
  // Too old to write under, so that it is renewed first; not so old that pods which renew it at the same moment lose it.
  const age = LEASE_DURATION_MS - WRITE_DEADLINE_MS;
  const { monotonic, calendar } = momentOf(clock);
  const sent = { monotonic: monotonic - age, calendar: calendar - age };
  const { leases } = target;
  const lease = new Lease({
    ...{ platform: plan.platform, holder: holderOf(workflow), leases, clock, onLost },
    ...{ leased, sent, lastsMs: GAP_MS, ending },
  });
  await lease.permit();
  return { lease, run: leased.run };
}

/** One end at a time: another that has begun, and may be there yet, can write nothing more when this resolves. */
export async function joinToEnd(
  request: PodRequest,
  ender: string,
): Promise<JoinedLease | undefined> {
  const { plan, target, clock } = request;
  const found = await target.leases.get(leaseName(plan.platform));
  const before = found && endingOf(found);
  const lost = new AbortController();
  const joined = await joinLease(request, () => lost.abort(), ender);
  if (before === undefined || before === ender) return joined;
  await clock.sleep(LEASE_DURATION_MS + WRITE_DEADLINE_MS, lost.signal);
  return lost.signal.aborted ? undefined : joined;
}

/** What a process has for the nodes that run in it. */
export interface NodeHost {
  readonly joined: JoinedLease;
  readonly emit: Emit;
  /** Given when the run no longer owns the platform. */
  readonly lost: AbortSignal;
  readonly watch: Watch;
}

export function notOwned({ plan, workflow }: PodRequest): TiphysError {
  return new TiphysError([
    {
      code: 'lease-lost',
      message: `Workflow ${quote(workflow)} does not own platform ${quote(plan.platform)} any more.`,
      hint: 'Another run took over. Submit the same plan again when that has ended.',
    },
  ]);
}

/** For a pod that writes to the hold once: nobody else hears of it. */
export function podKeeper(
  { plan, target, clock }: Pick<PodRequest, 'plan' | 'target' | 'clock'>,
  { lease, run }: JoinedLease,
): HoldKeeper {
  return new HoldKeeper({
    ...{ platform: plan.platform, run, projects: target.projects, clock },
    mayWrite: (deadline) => lease.mayWrite(deadline),
    leavesWindows: async () => true,
    onChange: () => {},
    onLost: () => {},
  });
}

export interface PodRecord {
  readonly emit: Emit;
  readonly recorder: Recorder;
}

/** `part`: which pod it is; undefined for beginning and end, whose record is the run's own. */
export function podRecord(
  request: PodRequest,
  { lease, run }: JoinedLease,
  part: string | undefined,
): PodRecord {
  const { plan, target, clock, listen } = request;
  const recorder = new Recorder({
    ...{ platform: plan.platform, plan: plan.hash, run, store: target.store, clock },
    ...(part === undefined ? {} : { part }),
    mayWrite: () => lease.mayWrite(),
    onProblem: (problem) => {
      emit({ type: 'run.warning', message: `the record of this run is not complete: ${problem}` });
    },
  });
  const emit: Emit = (body) => {
    const event = { time: isoTime(clock.now()), run, ...body } as RunEvent;
    recorder.append(event);
    listen(event);
  };
  return { emit, recorder };
}
