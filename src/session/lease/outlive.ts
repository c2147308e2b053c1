// Whether the holder of a Lease is alive. Clocks of two machines are never compared: it is, if its Lease changes while we watch.
import { TiphysError } from '../../errors.ts';
import { renderDuration } from '../../model/duration.ts';
import { quote } from '../../model/names.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Leases, LeaseView } from '../../ports/lease-store.ts';
import { WRITE_DEADLINE_MS } from '../../ports/write-result.ts';
import { interrupted } from '../interrupted.ts';
import { isFree, LEASE_DURATION_MS, leaseName, looksExpired, runOf } from './lease-data.ts';

export const LEASE_POLL_MS = 1_000;

export interface Watched {
  readonly platform: string;
  /** Names this process for people, and is unique: host, process and a random part. */
  readonly holder: string;
  readonly leases: Pick<Leases, 'get'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Told once what is waited for. */
  readonly onWait?: (message: string) => void;
}

export function isHeldByOther(lease: LeaseView, holder: string): boolean {
  return !isFree(lease) && lease.holder !== holder;
}

/**
 * Watches whether the holder renews. If it does, this throws; if it has not for as long as its lease and a write in
 * progress can last, the lease may be taken over.
 */
export async function outlive(held: LeaseView, request: Watched): Promise<LeaseView | undefined> {
  const { clock, signal, leases, holder } = request;
  const lasts = Math.max(LEASE_DURATION_MS, held.durationSeconds * 1000);
  const wait = lasts + WRITE_DEADLINE_MS;
  const end = clock.monotonic() + wait;
  request.onWait?.(
    `${nameOf(held)} has the Lease, which expires in ${renderDuration(wait / 1000)} unless that run renews it`,
  );
  for (let left = lasts; left > 0; left = end - clock.monotonic()) {
    await clock.sleep(Math.min(LEASE_POLL_MS, left), signal);
    if (signal.aborted) throw interrupted();
    const now = await leases.get(held.name);
    if (!now || !isHeldByOther(now, holder)) return now;
    if (now.resourceVersion !== held.resourceVersion) throw alreadyActive(now, request);
  }
  // If the holder renews at this very moment, the resource version no longer matches.
  return held;
}

/** Before a person is asked for something that an active run would refuse. One that was killed is waited out. */
export async function requireInactive(request: Omit<Watched, 'holder'>): Promise<void> {
  const { leases, platform, clock } = request;
  const found = await leases.get(leaseName(platform));
  if (!found || isFree(found) || looksExpired(found, clock.now())) return;
  await outlive(found, { ...request, holder: '' });
}

const runName = (lease: LeaseView): string => runOf(lease)?.run ?? 'unknown';

const nameOf = (lease: LeaseView): string => `run ${runName(lease)} in ${quote(lease.holder)}`;

const alreadyActive = (lease: LeaseView, { platform }: Watched): TiphysError =>
  runActive({ run: runName(lease), holder: lease.holder }, platform);

export function runActive(
  { run, holder }: { readonly run: string; readonly holder: string },
  platform: string,
): TiphysError {
  return new TiphysError([
    {
      code: 'run-already-active',
      message: `Run ${run} of platform ${quote(platform)} is active, held by ${quote(holder)}.`,
      hint: 'Wait until it ends, or stop it where it runs. If it crashed, the next run takes over.',
    },
  ]);
}
