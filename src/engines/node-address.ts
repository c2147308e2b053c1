// Where the Application of a plan's node is, and whose operation it goes on with.
import type { ApplicationAddress } from '../model/platform.ts';
import type { PlanNode } from '../plan/plan.ts';
import { openIdOf } from '../plan/platform-graph.ts';

export function addressOf({ application, argocd }: PlanNode): ApplicationAddress {
  const { namespace = '', project = '' } = argocd ?? {};
  return { name: application ?? '', namespace, project };
}

/** A close goes on with the operation that its open began. */
export const operationNodeOf = (node: PlanNode): string =>
  node.kind === 'close' ? openIdOf(node) : node.id;
