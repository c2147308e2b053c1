// The address of a plan node's Application, and the node whose operation it continues.
import type { ApplicationAddress } from '../model/platform.ts';
import type { Plan, PlanNode } from './plan.ts';
import { openIdOf } from './platform-graph.ts';

export function addressOf({ application, argocd }: PlanNode): ApplicationAddress {
  const { namespace = '', project = '' } = argocd ?? {};
  return { name: application ?? '', namespace, project };
}

/** A close continues the operation that its open started. */
export const operationNodeOf = (node: PlanNode): string =>
  node.kind === 'close' ? openIdOf(node) : node.id;

/** The key of views of Applications: `namespace/name`. */
export const keyOf = (node: PlanNode): string => `${node.argocd?.namespace}/${node.application}`;

export const viewsByKey = <V extends { readonly namespace: string; readonly name: string }>(
  views: readonly V[],
): ReadonlyMap<string, V> => new Map(views.map((one) => [`${one.namespace}/${one.name}`, one]));

export function namespacesOf(
  plan: Plan,
  more: readonly { readonly node: PlanNode }[] = [],
): string[] {
  const nodes = [...plan.nodes, ...more.map(({ node }) => node)];
  return [...new Set(nodes.flatMap(({ argocd }) => (argocd ? [argocd.namespace] : [])))].sort();
}
