// One node of a teardown as a Workflow runs it: the same program as in every engine, with what a single process knows.

import type { NodeResult } from '../../node/progress.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { heldPlan, parentsThatMake, removeNode } from '../teardown/teardown-spec.ts';
import type { NodeHost, NodeRequest, PodTeardown } from './pod.ts';

export async function runRemoval(
  { plan, whole, target, teardown }: NodeRequest & { readonly teardown: PodTeardown },
  node: PlanNode,
  { session, watch }: NodeHost,
  signal: AbortSignal,
): Promise<NodeResult> {
  const names = heldNames(teardown, watch, new Set([node.application ?? '']));
  const hold = session.sharedHold(heldPlan(plan, teardown), names, watch);
  const snapshots = new ClaimSnapshots(target.snapshots, teardown.approved.snapshots);
  const held = () => hold.ensure();
  const parts = { session, node, watch, signal, emit: session.emit, held };
  return await removeNode(parts, whole, teardown, snapshots);
}

/** These, and whatever could make one again, as long as they are there: what is gone is not made again by itself. */
export function heldNames(
  teardown: PodTeardown,
  { last }: Pick<Watch, 'last'>,
  names: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const isThere = (name: string) =>
    teardown.deployment.nodes.some(
      (node) => node.application === name && last(addressOf(node)) !== undefined,
    );
  return new Set([...names, ...parentsThatMake(teardown)].filter(isThere));
}
