// Names that a platform file takes. An Application is called what it is called, or it is left out; what a stack is called is ours to say.
import { LONGEST_DURATION } from '../../model/duration.ts';
import { STACK_DEPTH_MAX } from '../../model/limits.ts';
import {
  APPLICATION_NAME,
  LABEL_NAME,
  LONGEST_APPLICATION_NAME,
  LONGEST_LABEL,
  quote,
  RESERVED_NAMES,
} from '../../model/names.ts';
import { ARGOCD_NAMESPACE } from '../../model/settings.ts';
import type { Proposal, ProposedStack } from '../proposal.ts';
import type { LayoutProblem } from './layout.ts';

export type Tell = (problem: LayoutProblem) => void;

export const isApplicationName = (name: string): boolean =>
  name.length <= LONGEST_APPLICATION_NAME &&
  APPLICATION_NAME.test(name) &&
  !RESERVED_NAMES.has(name);

const isLabelName = (name: string): boolean =>
  name.length <= LONGEST_LABEL && LABEL_NAME.test(name) && !RESERVED_NAMES.has(name);

/** The nearest name that is allowed and free. */
function labelFrom(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .slice(0, LONGEST_LABEL)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const base = isLabelName(plain) ? plain : 'stack';
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `-${count}`;
    const found = base.slice(0, LONGEST_LABEL - suffix.length).replace(/-$/, '') + suffix;
    if (!taken.has(found)) return found;
  }
}

/** Stacks by what they are called in the file. The key is the place in the list, since two may have one name. */
export function nameStacks(stacks: readonly ProposedStack[], tell: Tell): string[] {
  const taken = new Set(stacks.map(({ name }) => name).filter(isLabelName));
  const used = new Set<string>();
  return stacks.map(({ name }) => {
    if (isLabelName(name) && !used.has(name)) {
      used.add(name);
      return name;
    }
    const found = labelFrom(name, new Set([...taken, ...used]));
    used.add(found);
    const why = used.has(name) ? 'there are two stacks' : 'a stack cannot be called';
    tell({ subject: name, message: `${why} ${quote(name)}; it is ${quote(found)}` });
    return found;
  });
}

/** Of each stack the one around it; left out where it is not there, or goes round in a circle, or is too deep. */
export function parentsOf(
  stacks: readonly ProposedStack[],
  names: readonly string[],
  tell: Tell,
): (string | undefined)[] {
  const at = new Map(
    stacks.map(({ name }, index) => [name, index]).toReversed() as [string, number][],
  );
  const parents: (number | undefined)[] = stacks.map(({ parent }) =>
    parent === undefined ? undefined : at.get(parent),
  );
  for (const [index, stack] of stacks.entries()) {
    if (stack.parent !== undefined && isBroken(parents, index)) {
      parents[index] = undefined;
      const message = `the stack cannot be inside ${quote(stack.parent)}`;
      tell({ subject: names[index] ?? '', message });
    }
  }
  return parents.map((parent) => (parent === undefined ? undefined : names[parent]));
}

function isBroken(parents: readonly (number | undefined)[], stack: number): boolean {
  if (parents[stack] === undefined) return true;
  let depth = 0;
  for (let at: number | undefined = parents[stack]; at !== undefined; at = parents[at]) {
    depth++;
    if (at === stack || depth >= STACK_DEPTH_MAX) return true;
  }
  return false;
}

/** Takes each Application of Argo CD once, and only under a name that the file allows. */
export function claimNames(tell: Tell): (name: string | undefined) => name is string {
  const claimed = new Set<string>();
  return (name): name is string => {
    if (name === undefined) return false;
    if (!isApplicationName(name)) {
      tell({
        subject: name,
        message: `${quote(name)} is not a name that a platform file takes; it is left out`,
      });
      return false;
    }
    if (claimed.has(name)) {
      tell({
        subject: name,
        message: `there are two Applications ${quote(name)}; one is left out`,
      });
      return false;
    }
    claimed.add(name);
    return true;
  };
}

export function platformName({ platform }: Pick<Proposal, 'platform'>, tell: Tell): string {
  if (isLabelName(platform)) return platform;
  const found = labelFrom(platform, new Set()).replace(/^stack$/, 'platform');
  tell({
    subject: platform,
    message: `a platform cannot be called ${quote(platform)}; it is ${quote(found)}`,
  });
  return found;
}

/** Templates that were not filled in, as of Terraform, are no names. */
export function argocdNamespaceIn(
  { argocdNamespace }: Pick<Proposal, 'argocdNamespace'>,
  tell: Tell,
): string {
  if (isLabelName(argocdNamespace)) return argocdNamespace;
  tell({
    subject: argocdNamespace,
    message: `Argo CD cannot be in namespace ${quote(argocdNamespace)}; the file says ${quote(ARGOCD_NAMESPACE)}`,
  });
  return ARGOCD_NAMESPACE;
}

/** Whole seconds in the range that the file takes. */
export const durationOf = (seconds: number | undefined): number | undefined =>
  seconds === undefined || !(seconds > 0)
    ? undefined
    : Math.min(LONGEST_DURATION, Math.max(1, Math.round(seconds)));
