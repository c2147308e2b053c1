// One node of a teardown as a Workflow runs it: the same program as in every engine, with what a single process knows.

import { contextFor } from '../../node/context-for.ts';
import type { NodeContext } from '../../node/node-context.ts';
import type { NodeResult } from '../../node/progress.ts';
import { FRESH_MS, removeApplication } from '../../node/remove-node.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { dependentsGone, heldPlan, parentsThatMake, removalOf } from '../teardown/teardown-spec.ts';
import type { NodeHost, NodeRequest, PodTeardown } from './pod.ts';

interface Parts {
  readonly request: NodeRequest;
  readonly teardown: PodTeardown;
  readonly node: PlanNode;
  readonly host: NodeHost;
  readonly signal: AbortSignal;
}

export async function removeNode(parts: Parts): Promise<NodeResult> {
  const { request, teardown, node } = parts;
  const { target } = request;
  const snapshots = new ClaimSnapshots(target.snapshots, teardown.approved.snapshots);
  return await removeApplication(contextOf(parts), removalOf(node, teardown, target, snapshots));
}

function contextOf({ request, teardown, node, host, signal }: Parts): NodeContext {
  const { plan, whole, target } = request;
  const { session, watch } = host;
  const names = new Set([node.application ?? '']);
  const hold = session.sharedHold(
    heldPlan(plan, teardown),
    heldNames(teardown, watch, names),
    watch,
  );
  return contextFor({
    session,
    node,
    watch,
    signal,
    emit: session.emit,
    dependenciesReady: () => dependentsGone(node, whole, target.applications),
    held: () => hold.ensure(),
    freshMs: FRESH_MS,
  });
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
