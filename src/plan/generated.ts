// Which Applications a generated member stands for, and each of them as a node of its own.
import { fits } from '../model/generator-keys.ts';
import type { ApplicationAddress } from '../model/platform.ts';
import { keyOf, viewsByKey } from './node-address.ts';
import type { PlanNode } from './plan.ts';

/** What of an Application tells whose it is. */
export interface Chosen extends ApplicationAddress {
  readonly labels: ReadonlyMap<string, string>;
  readonly applicationSet: string | undefined;
}

/** The labels or the owner that the member asks for, in its namespace. */
function isMeant({ generated, argocd }: PlanNode, view: Chosen): boolean {
  if (!generated || view.namespace !== argocd?.namespace) return false;
  const { matchLabels, applicationSet } = generated;
  if (applicationSet !== undefined && view.applicationSet !== applicationSet) return false;
  return Object.entries(matchLabels ?? {}).every(([key, value]) => view.labels.get(key) === value);
}

/** What the pattern of the member holds, chosen by it or not. */
export const isCovered = ({ application, argocd, generated }: PlanNode, view: Chosen): boolean =>
  generated !== undefined && view.project === argocd?.project && fits(application ?? '', view.name);

export const isSelected = (node: PlanNode, view: Chosen): boolean =>
  isMeant(node, view) && isCovered(node, view);

/** Meant, and not covered: it cannot be held by the pattern. */
export const isStray = (node: PlanNode, view: Chosen): boolean =>
  isMeant(node, view) && !isCovered(node, view);

/** One of the Applications that the member stands for, by its name. */
export function childOf(node: PlanNode, name: string): PlanNode {
  const { generated: _, application, ...rest } = node;
  return { ...rest, id: `${node.id}:${name}`, application: name, heldAs: application ?? '' };
}

/** The views of a node: of its Application, or of all that it stands for. */
export const selectedOf = <V extends Chosen>(node: PlanNode, views: Iterable<V>): V[] =>
  [...views].filter((view) => isSelected(node, view));

/** Of a list, by node. */
export function viewsIn<V extends Chosen>(listed: readonly V[]): (node: PlanNode) => readonly V[] {
  const views = viewsByKey(listed);
  return (node) => {
    if (node.generated) return selectedOf(node, listed);
    const view = views.get(keyOf(node));
    return view ? [view] : [];
  };
}

/** Which Applications are there is not what the member asks for; undefined: they are. */
export function tooFew({ generated }: PlanNode, there: number): string | undefined {
  const { atLeast = 0 } = generated ?? {};
  if (there >= atLeast) return undefined;
  return there === 0
    ? 'no Application of it exists'
    : `${there} of at least ${atLeast} Applications exist`;
}
