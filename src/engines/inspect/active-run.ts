// Who has a platform now, as its Lease says it: to tell people, never to decide.
import { codeOf } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LeaseView } from '../../ports/lease-store.ts';
import type { Cluster } from '../../ports/target.ts';
import {
  isFree,
  type LeasedRun,
  leaseName,
  looksExpired,
  runOf,
} from '../../session/lease/lease-data.ts';
import { holderOf } from '../argo-workflows/pod.ts';

export interface ActiveRun {
  readonly run: string;
  readonly holder: string;
  readonly isByWorkflow: boolean;
}

/** The run that a Lease names: active, or killed or ended and not active any more. */
export interface NamedRun extends LeasedRun, ActiveRun {
  readonly isActive: boolean;
}

/** A process that was killed leaves its Lease behind: only one that is still renewed is that of an active run. */
export function namedRun(lease: LeaseView | undefined, clock: Clock): NamedRun | undefined {
  const leased = lease && runOf(lease);
  if (!leased) return undefined;
  const { holder } = lease;
  const isActive = !isFree(lease) && !looksExpired(lease, clock.now());
  return { ...leased, holder, isByWorkflow: holder.startsWith(holderOf('')), isActive };
}

export async function activeRun(
  platform: string,
  target: Pick<Cluster, 'leases'>,
  clock: Clock,
): Promise<ActiveRun | undefined> {
  const named = namedRun(await target.leases.get(leaseName(platform)), clock);
  return named?.isActive ? named : undefined;
}

/** For commands that only look: the role tiphys-validate reads no Lease. */
export function unlessForbidden(error: unknown): undefined {
  if (codeOf(error) !== 'cluster-forbidden') throw error;
}
