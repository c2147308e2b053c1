// Makes this process the only run of a platform: immediately if there is none, after a wait if the previous one crashed,
// and never if one is active. Clocks of two machines are never compared: a holder is alive if its Lease changes while we
// watch.
import { TiphysError } from '../../errors.ts';
import { quote } from '../../model/names.ts';
import type { Leases, LeaseView } from '../../ports/lease-store.ts';
import { interrupted } from '../interrupted.ts';
import { refusal } from '../refused-write.ts';
import { Retrying } from '../retrying.ts';
import { Lease, momentOf } from './lease.ts';
import { type LeasedRun, leaseFor, leaseName, runOf } from './lease-data.ts';
import { isHeldByOther, LEASE_POLL_MS, outlive, type Watched } from './outlive.ts';

/** There is no run yet whose timeout would count. */
const NOT_TAKEN_MS = 120_000;

export interface LeaseRequest extends Watched {
  /** The plan's hash. */
  readonly plan: string;
  /** The id of the run unless it resumes another one. */
  readonly run: string;
  readonly leases: Leases;
  /** Called once if the lease is lost. */
  readonly onLost: (error: TiphysError) => void;
  /** Called when it has expired and cannot be renewed, once until it is renewed. */
  readonly onTrouble?: (problem: string) => void;
  readonly lastsMs?: number;
  readonly requestMs?: number;
}

export interface Acquired {
  readonly lease: Lease;
  /** The id of the run. */
  readonly run: string;
  /** The previous run did not finish and had the same plan: this run continues under its id. */
  readonly resumed: boolean;
  readonly previous: LeasedRun | undefined;
}

export async function acquireLease(request: LeaseRequest): Promise<Acquired> {
  const name = leaseName(request.platform);
  const retrying = new Retrying(request.clock, `the write of the Lease ${quote(name)}`);
  for (;;) {
    const found = await request.leases.get(name);
    const takeable =
      found && isHeldByOther(found, request.holder) ? await outlive(found, request) : found;
    const acquired = await take(takeable, request);
    if ('lease' in acquired) return acquired;
    if (acquired.problem === undefined) retrying.succeeded();
    else retrying.failed(acquired.problem);
    if (retrying.times > 0 && retrying.lastedMs >= NOT_TAKEN_MS) throw notTaken(retrying.summary);
    await request.clock.sleep(LEASE_POLL_MS, request.signal);
    if (request.signal.aborted) throw interrupted();
  }
}

/** Without a lease: read again. With a problem: whether it was written is unknown; without: another process was faster. */
async function take(
  before: LeaseView | undefined,
  request: LeaseRequest,
): Promise<Acquired | { readonly problem: string | undefined }> {
  const { platform, plan, holder, leases, clock } = request;
  const previous = previousOf(before, request);
  const resumed = previous !== undefined && !previous.finished && previous.plan === plan;
  const run = resumed ? previous.run : request.run;
  const leased = { run, plan, finished: false };
  const sent = momentOf(clock);
  const wanted = leaseFor(
    leaseName(platform),
    before,
    holder,
    { ...leased, holds: [] },
    sent.calendar,
    request.lastsMs,
  );
  const result = before
    ? await leases.update({ ...wanted, resourceVersion: before.resourceVersion })
    : await leases.create(wanted);
  if (result.kind === 'refused' && result.reason !== 'conflict') {
    throw refusal(result, 'cluster', `The Lease ${quote(wanted.name)}`);
  }
  if (result.kind === 'refused') return { problem: undefined };
  if (result.kind === 'unknown') return { problem: result.message };
  return { lease: new Lease({ ...request, leased, sent }), run, resumed, previous };
}

/** Our own request whose answer was lost is not an earlier run. */
function previousOf(before: LeaseView | undefined, { run }: LeaseRequest): LeasedRun | undefined {
  const leased = before && runOf(before);
  return leased?.run === run ? undefined : leased;
}

function notTaken(how: string): TiphysError {
  const message = `The run cannot start: ${how}.`;
  const hint = 'Check the Kubernetes API server, then run the same command again.';
  return new TiphysError([{ code: 'cluster-unreachable', message, hint }]);
}
