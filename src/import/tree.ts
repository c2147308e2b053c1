// Who created whom: parents of any depth.
import { STACK_DEPTH_MAX } from '../model/limits.ts';
import type { ApplicationMaterial } from './material.ts';

export interface Family {
  readonly areRelated: (one: string, other: string) => boolean;
  /** The applications around it, the nearest first. */
  readonly ancestors: (name: string) => readonly string[];
  readonly children: (name: string) => readonly string[];
}

export function familyOf(applications: readonly ApplicationMaterial[]): Family {
  const parents = new Map(applications.map(({ name, parent }) => [name, parent]));
  const children = new Map<string, string[]>();
  for (const { name, parent } of applications) {
    if (parent === undefined || parent === name) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(name);
    else children.set(parent, [name]);
  }
  const known = new Map<string, readonly string[]>();
  const ancestors = (name: string): readonly string[] => {
    const found = known.get(name) ?? chain(name, parents);
    known.set(name, found);
    return found;
  };
  return {
    ancestors,
    children: (name) => children.get(name) ?? [],
    areRelated: (one, other) => ancestors(one).includes(other) || ancestors(other).includes(one),
  };
}

/** One that claims to be its own creator, directly or through others, has no parent there. */
function chain(name: string, parents: ReadonlyMap<string, string | undefined>): string[] {
  const found: string[] = [];
  const seen = new Set([name]);
  for (let at = parents.get(name); at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (found.length > STACK_DEPTH_MAX) break;
    found.push(at);
    seen.add(at);
  }
  return found;
}
