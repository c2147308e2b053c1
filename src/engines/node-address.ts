// Where the Application of a plan's node is.
import type { ApplicationAddress } from '../model/platform.ts';
import type { PlanNode } from '../plan/plan.ts';

export function addressOf({ application, argocd }: PlanNode): ApplicationAddress {
  const { namespace = '', project = '' } = argocd ?? {};
  return { name: application ?? '', namespace, project };
}
