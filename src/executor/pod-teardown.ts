// What a pod of a teardown carries out: the inventory that was approved comes with the Workflow's files.

import type { Planned } from '../cli/input/planning.ts';
import type { Io } from '../cli/io.ts';
import { policyOf } from '../cli/options/policy-options.ts';
import type { PodRequest } from '../engines/argo-workflows/pod.ts';
import { approvalIn } from '../engines/teardown/approval.ts';
import { withUnexpected } from '../engines/unexpected.ts';
import { buildPlan } from '../plan/build-plan.ts';
import { MOUNTS } from './executor-settings.ts';
import { invalid, type PodOptions } from './pod-options.ts';

/** Of a ConfigMap. */
const BYTES_MAX = 1024 * 1024;
/** Seconds. */
const STUCK_AFTER = 300;

export async function teardownParts(
  io: Io,
  { plan, whole, compiled }: Planned,
  options: PodOptions,
  hash: string,
): Promise<Pick<PodRequest, 'plan' | 'whole' | 'basis' | 'teardown'>> {
  const approved = approvalIn(io.readFile(MOUNTS.inventory, BYTES_MAX));
  // Its text gives its hash, so nothing of it was changed.
  if (approved?.hash !== hash)
    throw invalid(`The files have no inventory ${hash}, which was approved.`);
  const { unexpected } = approved;
  return {
    plan: withUnexpected(plan, unexpected),
    whole: withUnexpected(whole, unexpected),
    basis: hash,
    teardown: {
      ...{ planned: { plan, whole }, policy: policyOf(options), approved },
      deployment: buildPlan(compiled, { action: 'deploy' }),
      stuckAfter: options.stuckAfter ?? STUCK_AFTER,
      unsafe: new Set(options.unsafeRemoveFinalizers),
    },
  };
}
