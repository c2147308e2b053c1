// Edges between Applications as entries of `dependsOn`: a stack's own Application is waited for, and waits, as the stack.
import { quote } from '../../model/names.ts';
import { insideOf } from '../../model/stack-tree.ts';
import type { ProposedEdge } from '../proposal.ts';
import type { LaidStack, LayoutProblem } from './layout.ts';

/** Where an Application stands in the file. */
export type Place =
  | { readonly kind: 'member'; readonly stack: string; readonly name: string }
  | { readonly kind: 'parent'; readonly stack: string }
  | { readonly kind: 'root' };

export interface Reference {
  /** Who has it in `dependsOn`. */
  readonly owner: Exclude<Place, { kind: 'root' }>;
  readonly target: Exclude<Place, { kind: 'root' }>;
  readonly edge: ProposedEdge;
}

export function placesOf(
  root: string | undefined,
  stacks: readonly LaidStack[],
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  if (root !== undefined) places.set(root, { kind: 'root' });
  for (const { name: stack, application, applications } of stacks) {
    if (application !== undefined) places.set(application, { kind: 'parent', stack });
    for (const { name } of applications) places.set(name, { kind: 'member', stack, name });
  }
  return places;
}

/** `platform` alone would be the whole. */
export const referenceTo = (target: Reference['target']): string => {
  if (target.kind === 'parent') return `stack:${target.stack}`;
  return target.name === 'platform' ? `app:${target.name}` : target.name;
};

export function referencesOf(
  edges: readonly ProposedEdge[],
  places: ReadonlyMap<string, Place>,
  stacks: readonly LaidStack[],
): { references: Reference[]; problems: LayoutProblem[] } {
  const isInside = insideOf(stacks);
  const problems: LayoutProblem[] = [];
  const references = edges.flatMap((edge): Reference[] => {
    if (edge.status === 'reported') return [];
    const [owner, target] = [places.get(edge.dependent), places.get(edge.dependency)];
    const reason = reasonAgainst(owner, target, isInside);
    if (reason === undefined) {
      return [{ owner, target, edge } as Reference];
    }
    const message = `cannot wait for ${quote(edge.dependency)}: ${reason}`;
    problems.push({ subject: edge.dependent, message });
    return [];
  });
  return { references, problems };
}

function reasonAgainst(
  owner: Place | undefined,
  target: Place | undefined,
  isInside: (stack: string, outer: string) => boolean,
): string | undefined {
  if (!owner) return 'it is not in the file itself';
  if (!target) return 'that is not in the file';
  if (owner.kind === 'root') return 'the root comes before everything';
  if (target.kind === 'root') return 'the root contains it';
  if (target.kind === 'parent' && isInside(owner.stack, target.stack))
    return `stack ${quote(target.stack)} contains it`;
  if (owner.kind === 'parent' && isInside(target.stack, owner.stack))
    return `its own stack ${quote(owner.stack)} contains that`;
  return undefined;
}
