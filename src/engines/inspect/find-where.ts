// Finds out where a command acts. What cannot be read is left out: only a name that differs keeps a command from changing anything.
import type { Platform } from '../../model/platform.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Where } from '../../report/where.ts';
import { recordedClusterName } from '../../session/cluster-name.ts';

/** Milliseconds that it waits for the answer who asks. */
const WAIT_MS = 3_000;

/** Undefined: a simulated cluster, which is nowhere. */
export async function findWhere(
  platform: Pick<Platform, 'environment' | 'clusterName'>,
  target: Pick<Cluster, 'address' | 'whoAmI' | 'store'>,
  defaults?: Where['defaults'],
): Promise<Where | undefined> {
  const { address } = target;
  if (!address) return undefined;
  const [user, recordedName] = await Promise.all([
    target.whoAmI(WAIT_MS).catch(() => null),
    recordedClusterName(target.store).catch(() => undefined),
  ]);
  return {
    ...address,
    clusterName: platform.clusterName ?? null,
    recordedName: recordedName ?? null,
    environment: platform.environment ?? null,
    user,
    ...(defaults && { defaults }),
  };
}
