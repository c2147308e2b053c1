// What the cluster has of a platform, for commands that plan its teardown.
import type { Inventory } from '../../inventory/inventory.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Io } from '../io.ts';
import { type PolicyOptions, policyOf } from '../options/policy-options.ts';
import type { Planned } from './planning.ts';

export async function lookAtCluster(
  io: Io,
  { plan, whole }: Planned,
  target: Cluster,
  options: PolicyOptions,
  signal: AbortSignal,
): Promise<Inventory> {
  const { takeInventory } = await import('../../engines/teardown/take-inventory.ts');
  const policy = policyOf(options);
  const { concurrency } = plan;
  return await takeInventory({ plan, whole, target, clock: io.clock, policy, concurrency, signal });
}
