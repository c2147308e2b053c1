// The Applications that a generated member represents, and each of them as a separate node.
import { fits } from '../model/generator-keys.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import { keyOf, viewsByKey } from './node-address.ts';
import type { PlanNode } from './plan.ts';

/** The fields of an Application that show which member it belongs to. */
export interface Chosen extends ApplicationAddress {
  readonly labels: ReadonlyMap<string, string>;
  readonly applicationSet: string | undefined;
}

/** Whether it has the labels or the owner that the member selects, in the member's namespace. */
function isMeant({ generated, argocd }: PlanNode, view: Chosen): boolean {
  if (!generated || view.namespace !== argocd?.namespace) return false;
  const { matchLabels, applicationSet } = generated;
  if (applicationSet !== undefined && view.applicationSet !== applicationSet) return false;
  return Object.entries(matchLabels ?? {}).every(([key, value]) => view.labels.get(key) === value);
}

/** Whether the member's pattern in the hold covers it, selected or not. */
export const isCovered = ({ application, argocd, generated }: PlanNode, view: Chosen): boolean =>
  generated !== undefined && view.project === argocd?.project && fits(application ?? '', view.name);

export const isSelected = (node: PlanNode, view: Chosen): boolean =>
  isMeant(node, view) && isCovered(node, view);

/** Selected but not covered: the pattern cannot hold it. */
export const isStray = (node: PlanNode, view: Chosen): boolean =>
  isMeant(node, view) && !isCovered(node, view);

/** The node of one Application of the member. */
export function childOf(node: PlanNode, name: string): PlanNode {
  const { generated: _, application, ...rest } = node;
  return { ...rest, id: `${node.id}:${name}`, application: name, heldAs: application ?? '' };
}

/** The views of a node: of its Application, or of all Applications that it represents. */
export const selectedOf = <V extends Chosen>(node: PlanNode, views: Iterable<V>): V[] =>
  [...views].filter((view) => isSelected(node, view));

/** The same for a list, by node. */
export function viewsIn<V extends Chosen>(listed: readonly V[]): (node: PlanNode) => readonly V[] {
  const views = viewsByKey(listed);
  return (node) => {
    if (node.generated) return selectedOf(node, listed);
    const view = views.get(keyOf(node));
    return view ? [view] : [];
  };
}

/** Why the existing Applications are not what the member requires; undefined: they are. */
export function tooFew({ generated }: PlanNode, there: number): string | undefined {
  const { atLeast = 0 } = generated ?? {};
  if (there >= atLeast) return undefined;
  return there === 0
    ? 'none of its Applications exist'
    : `${there} of at least ${atLeast} Applications exist`;
}
