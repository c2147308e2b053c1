// Which Application creates which: by what each lists, by tracking ids, through ApplicationSets.
import { compareText } from '../model/names.ts';
import type { ApplicationMaterial, ListedResource, ReadProblem } from './material.ts';

export interface Child {
  readonly material: ApplicationMaterial;
  readonly trackedBy: string | undefined;
}

/** An ApplicationSet, and the Application that has it in its Git. */
export interface SetOwner {
  readonly name: string;
  readonly trackedBy: string | undefined;
}

interface Families {
  /** By name. */
  readonly parents: ReadonlyMap<string, string>;
  readonly problems: readonly ReadProblem[];
}

/** Where Applications create each other in a circle, one of them is left without a parent. */
export function findParents(children: readonly Child[], sets: readonly SetOwner[]): Families {
  const known = new Set(children.map(({ material }) => material.name));
  const listers = {
    Application: listersOf(children, 'Application'),
    ApplicationSet: listersOf(children, 'ApplicationSet'),
  };
  const setOwners = new Map(sets.map(({ name, trackedBy }) => [name, trackedBy]));
  const parents = new Map<string, string>();
  for (const { material, trackedBy } of children) {
    const { name, applicationSet: set } = material;
    const [tracker, lists] =
      set === undefined
        ? [trackedBy, listers.Application.get(name)]
        : [setOwners.get(set), listers.ApplicationSet.get(set)];
    const parent = chosen(name, tracker, lists ?? [], known);
    if (parent !== undefined) parents.set(name, parent);
  }
  return { parents, problems: breakCircles(parents) };
}

/** The name of an Application or of a set -> those that list it. */
function listersOf(children: readonly Child[], kind: string): ReadonlyMap<string, string[]> {
  const listers = new Map<string, string[]>();
  for (const { material } of children) {
    for (const one of material.resources.filter((resource) => isArgo(resource, kind))) {
      listers.set(one.name, [...(listers.get(one.name) ?? []), material.name]);
    }
  }
  return listers;
}

export const isArgo = ({ group, kind }: Pick<ListedResource, 'group' | 'kind'>, wanted: string) =>
  group === 'argoproj.io' && kind === wanted;

/**
 * The tracker, if it is there; else the only one that lists it. A label can name another owner, so that a tracker which lists
 * others, but not this one, does not count where another one does.
 */
function chosen(
  name: string,
  tracker: string | undefined,
  listers: readonly string[],
  known: ReadonlySet<string>,
): string | undefined {
  const others = [...new Set(listers)].filter((one) => one !== name).sort(compareText);
  if (others.length > 0) {
    return tracker !== undefined && others.includes(tracker) ? tracker : others[0];
  }
  return tracker !== undefined && tracker !== name && known.has(tracker) ? tracker : undefined;
}

function breakCircles(parents: Map<string, string>): ReadProblem[] {
  const problems: ReadProblem[] = [];
  const done = new Set<string>();
  for (const start of [...parents.keys()].sort(compareText)) {
    const trail: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && !done.has(at) && !trail.includes(at)) {
      trail.push(at);
      at = parents.get(at);
    }
    const from = at === undefined ? -1 : trail.indexOf(at);
    if (from !== -1) problems.push(brokenCircle(trail.slice(from), parents));
    for (const one of trail) done.add(one);
  }
  return problems;
}

function brokenCircle(circle: readonly string[], parents: Map<string, string>): ReadProblem {
  const [first = ''] = [...circle].sort(compareText);
  parents.delete(first);
  return {
    subject: first,
    message: `These Applications create each other in a circle: ${[...circle].sort(compareText).join(', ')}. This one counts as their root.`,
  };
}
