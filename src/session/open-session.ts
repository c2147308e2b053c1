// The only two ways into a session: by taking the Lease of the platform, or by joining the run whose processes share it.
import { REQUEST_TIMEOUT } from '../model/settings.ts';
import type { Plan } from '../plan/plan.ts';
import type { Clock } from '../ports/clock.ts';
import type { Cluster } from '../ports/target.ts';
import { WRITE_DEADLINE_MS } from '../ports/write-result.ts';
import type { RunEvent } from '../run/events.ts';
import { acquireLease } from './lease/acquire-lease.ts';
import { Lease, momentOf } from './lease/lease.ts';
import {
  endingOf,
  LEASE_DURATION_MS,
  type LeasedRun,
  leaseName,
  runOf,
} from './lease/lease-data.ts';
import { Session } from './session.ts';
import { rawPorts } from './writes/raw-ports.ts';
import { renewTokens } from './writes/token-renewal.ts';

/** Between two processes of one run there is no renewal: the next has to be scheduled, and a controller may be restarted. */
const GAP_MS = 60_000;

export interface SessionRequest {
  readonly plan: Plan;
  /** The hash of the plan. Only a run with the same hash resumes an unfinished run under its id. */
  readonly basis: string;
  readonly target: Cluster;
  readonly clock: Clock;
  readonly listen: (event: RunEvent) => void;
  /** Names this process, or all processes of the run if they share the Lease. */
  readonly holder: string;
}

export interface AcquireRequest extends SessionRequest {
  /** The id of the run unless it resumes another one. */
  readonly runId: string;
  /** Called when the Lease cannot be renewed; by default a warning of the run, and so in its record. */
  readonly onTrouble?: (message: string) => void;
  /** Told once what is waited for, if another run has the Lease. This run has no events before it has it. */
  readonly onWait?: (message: string) => void;
  /** The run has several processes, one after the other or concurrently. */
  readonly isShared: boolean;
  readonly signal: AbortSignal;
}

export interface AcquiredSession {
  readonly session: Session;
  readonly isResumed: boolean;
  /** The previous run, if the Lease names one. */
  readonly previous: LeasedRun | undefined;
}

/** Makes this run the only one of its platform. */
export async function acquireSession(request: AcquireRequest): Promise<AcquiredSession> {
  const { plan, basis, target, clock, holder, runId, isShared, signal, onWait } = request;
  const lost = new AbortController();
  let session: Session | undefined;
  const warn = request.onTrouble ?? ((message: string) => session?.warn(message));
  const acquired = await acquireLease({
    platform: plan.platform,
    plan: basis,
    run: runId,
    holder,
    clock,
    signal,
    leases: rawPorts(target).leases,
    ...(onWait ? { onWait } : {}),
    onLost: (error) => lost.abort(error),
    requestMs: requestMsOf(plan),
    // Processes that share a Lease renew it for each other.
    ...(isShared
      ? { lastsMs: sharedMs(plan) }
      : { onTrouble: (problem) => warn(expiredLease(problem)) }),
  });
  const { lease, run, resumed: isResumed, previous } = acquired;
  const own = { lease, run, isResumed, mayRunTwice: isShared, lost };
  session = sessionOf(request, { ...own, part: undefined, begins: true });
  await renewTokens({ target, lease, clock, run, warn });
  return { session, isResumed, previous };
}

const requestMsOf = ({ requestTimeout = REQUEST_TIMEOUT }: Plan): number => requestTimeout * 1000;

/** A process does not know what another one has sent: the Lease outlasts that in any case. */
const sharedMs = (plan: Plan): number => Math.max(GAP_MS, requestMsOf(plan) + LEASE_DURATION_MS);

const expiredLease = (problem: string): string =>
  `the run's lease cannot be renewed: ${problem}; writes are paused until it is`;

export interface JoinRequest extends SessionRequest {
  /** The process of the run, for its record; undefined: the record is the run's own. */
  readonly part: string | undefined;
  /** For the process that completes the run: its unique name. */
  readonly ending?: string | undefined;
}

/** Undefined if the holder does not have the Lease: it never had it, or another run took it. */
export async function joinSession(request: JoinRequest): Promise<Session | undefined> {
  const { plan, basis, target, clock, holder, part, ending } = request;
  const { leases } = rawPorts(target);
  const found = await leases.get(leaseName(plan.platform));
  const leased = found && runOf(found);
  if (!leased || found.holder !== holder || leased.plan !== basis) return undefined;
  // Too old to write under, so that it is renewed first; not so old that processes renewing at the same moment lose it.
  const age = LEASE_DURATION_MS - WRITE_DEADLINE_MS;
  const { monotonic, calendar } = momentOf(clock);
  const lost = new AbortController();
  const lease = new Lease({
    platform: plan.platform,
    holder,
    leases,
    clock,
    leased,
    ending,
    lastsMs: sharedMs(plan),
    requestMs: requestMsOf(plan),
    sent: { monotonic: monotonic - age, calendar: calendar - age },
    onLost: (error) => lost.abort(error),
  });
  await lease.awaitWritePermit();
  const { run } = leased;
  const own = { lease, run, isResumed: false, mayRunTwice: true, part, begins: false, lost };
  return sessionOf(request, own);
}

/** How long other processes of a run can still write after they can no longer renew its Lease. */
export const othersEndMs = (plan: Plan): number =>
  Math.max(LEASE_DURATION_MS + WRITE_DEADLINE_MS, requestMsOf(plan));

/** One completion at a time: when this resolves, another one that started, and may still exist, can no longer write. */
export async function joinToEnd(
  request: SessionRequest,
  ending: string,
): Promise<Session | undefined> {
  const { plan, target, clock } = request;
  const found = await target.leases.get(leaseName(plan.platform));
  const before = found && endingOf(found);
  const session = await joinSession({ ...request, part: undefined, ending });
  if (!session || before === undefined || before === ending) return session;
  await clock.sleep(othersEndMs(plan), session.lost);
  return session.lost.aborted ? undefined : session;
}

function sessionOf(
  { plan, target, clock, listen }: SessionRequest,
  own: Pick<
    ConstructorParameters<typeof Session>[0],
    'lease' | 'isResumed' | 'mayRunTwice' | 'part' | 'begins' | 'lost'
  > & { readonly run: string },
): Session {
  const { run, ...parts } = own;
  const identity = { id: run, platform: plan.platform, plan: plan.hash };
  return new Session({ ...parts, identity, target, clock, listen });
}
