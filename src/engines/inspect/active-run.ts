// Who has a platform now, as its Lease says it: to tell people, never to decide.
import { codeOf } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { isFree, leaseName, looksExpired, runOf } from '../../session/lease/lease-data.ts';
import { holderOf } from '../argo-workflows/pod.ts';

export interface ActiveRun {
  readonly run: string;
  readonly holder: string;
  readonly isByWorkflow: boolean;
}

export async function activeRun(
  platform: string,
  target: Pick<Cluster, 'leases'>,
  clock: Clock,
): Promise<ActiveRun | undefined> {
  const lease = await target.leases.get(leaseName(platform));
  const leased = lease && runOf(lease);
  if (!leased || isFree(lease) || looksExpired(lease, clock.now())) return undefined;
  const { holder } = lease;
  return { run: leased.run, holder, isByWorkflow: holder.startsWith(holderOf('')) };
}

/** For commands that only look: the role tiphys-validate reads no Lease. */
export function unlessForbidden(error: unknown): undefined {
  if (codeOf(error) !== 'cluster-forbidden') throw error;
}
