// One node of a teardown as a Workflow runs it: the same program as in every engine, with what a single process knows.

import type { NodeContext } from '../../node/node-context.ts';
import type { NodeResult } from '../../node/progress.ts';
import { removeApplication } from '../../node/remove-node.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import {
  dependentsGone,
  heldPlan,
  parentsThatMake,
  removalOf,
} from '../teardown/teardown-order.ts';
import { OwnHold } from './own-hold.ts';
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
  const { plan, whole, target, clock } = request;
  const { joined, watch, emit } = host;
  const { lease, run } = joined;
  // Whatever could make one again is kept from it, as long as one is there.
  const names = new Set([node.application ?? '', ...parentsThatMake(teardown)]);
  const hold = new OwnHold({
    ...{ plan: heldPlan(plan, teardown), run, target, watch, clock, lease },
    names: new Set([...names].filter((name) => isThere(name, teardown, watch))),
  });
  return {
    run: { id: run, platform: plan.platform, plan: plan.hash },
    ...{ node, operationNode: node.id, address: addressOf(node), watch, clock, signal, emit },
    applications: target.applications,
    permit: async () => {
      await hold.ensure();
      await lease.permit();
    },
    ready: () => dependentsGone(node, whole, target.applications),
    claim: async () => {},
    ...{ maker: undefined, parent: undefined, isExpected: () => true, blocked: () => undefined },
  };
}

/** What is gone is not made again by itself. */
function isThere(
  name: string,
  { deployment }: PodTeardown,
  { last }: Pick<NodeHost['watch'], 'last'>,
): boolean {
  return deployment.nodes.some(
    (node) => node.application === name && last(addressOf(node)) !== undefined,
  );
}
