// What a plan must be, worked out by brute force from the platform as it is written. It shares no code and no method
// with the planner: pairs of nodes are asked one by one, and all the rest is matrices. Only for small graphs.
import type { Lists } from './graphs.ts';
import type { PlatformData, StackData } from './platforms.ts';

type Matrix = readonly (readonly boolean[])[];

/** Nodes and who waits for whom: `waits[a][b]` means that a comes after b. */
export interface Relation {
  readonly ids: readonly string[];
  readonly waits: Matrix;
}

export function relation(
  ids: readonly string[],
  waitsFor: (a: string, b: string) => boolean,
): Relation {
  return { ids, waits: ids.map((a) => ids.map((b) => waitsFor(a, b))) };
}

/** From lists of dependencies, as a plan's nodes have them. */
export function relationOf(lists: Lists): Relation {
  return relation([...lists.keys()], (a, b) => lists.get(a)?.includes(b) ?? false);
}

/** The rules of open and close, asked of one pair after the other. */
export function platformRelation({ stacks }: PlatformData): Relation {
  const inner = stacks.flatMap(({ name, applications }) => [
    `open:stack:${name}`,
    ...applications.map((application) => `app:${application.name}`),
    `close:stack:${name}`,
  ]);
  const ids = ['open:platform', ...inner, 'close:platform'];
  return relation(ids, (a, b) => {
    if (a === b) return false;
    if (b === 'open:platform' || a === 'close:platform') return true;
    return stacks.some((stack) => waitsInside(stack, stacks, a, b) || wrote(stack, a, b));
  });
}

/** A stack opens before all that is directly in it, members and stacks, and closes after that; where there is none, after itself. */
function waitsInside(
  { name, applications }: StackData,
  stacks: readonly StackData[],
  a: string,
  b: string,
): boolean {
  const members = applications.map((member) => `app:${member.name}`);
  const inner = stacks.filter(({ parent }) => parent === name).map((stack) => stack.name);
  const last = [...members, ...inner.map((stack) => `close:stack:${stack}`)];
  const first = [...members, ...inner.map((stack) => `open:stack:${stack}`)];
  if (a === `close:stack:${name}`) {
    return last.includes(b) || (last.length === 0 && b === `open:stack:${name}`);
  }
  return first.includes(a) && b === `open:stack:${name}`;
}

/** Whether a stack is the other one or, however deep, in it. */
export function isIn(stacks: readonly StackData[], name: string, outer: string): boolean {
  if (name === outer) return true;
  const { parent } = stacks.find((stack) => stack.name === name) ?? {};
  return parent !== undefined && isIn(stacks, parent, outer);
}

function wrote(stack: StackData, a: string, b: string): boolean {
  const lists = [
    ...(a === `open:stack:${stack.name}` ? [stack.dependsOn] : []),
    ...stack.applications.filter(({ name }) => a === `app:${name}`).map((app) => app.dependsOn),
  ];
  return lists.flat().some((reference) => finishOf(reference) === b);
}

/** The node at which what is referred to is ready. */
export function finishOf(reference: string): string {
  if (reference.startsWith('stack:')) return `close:${reference}`;
  return reference.startsWith('app:') ? reference : `app:${reference}`;
}

/** Who waits for whom in the end, through any number of others (Warshall). */
export function closure({ ids, waits }: Relation): Relation {
  const far = waits.map((row) => [...row]);
  for (const via of far.keys()) {
    for (const row of far) {
      if (row[via]) for (const to of row.keys()) row[to] ||= far[via]?.[to] ?? false;
    }
  }
  return { ids, waits: far };
}

export function isCyclic(graph: Relation): boolean {
  return closure(graph).waits.some((row, at) => row[at]);
}

/** The least power of the matrix with something on its diagonal. */
export function shortestCycleLength({ ids, waits }: Relation): number | undefined {
  let walks = waits;
  for (let length = 1; length <= ids.length; length++) {
    if (walks.some((row, at) => row[at])) return length;
    walks = multiply(walks, waits);
  }
  return undefined;
}

function multiply(left: Matrix, right: Matrix): Matrix {
  return left.map((row) => row.map((_, to) => row.some((set, via) => set && right[via]?.[to])));
}

/** What is left of the relation between some of the nodes. Ids in the order of their text, so that two can be compared. */
export function restrict(graph: Relation, kept: Iterable<string>): Relation {
  return relation([...kept].sort(), (a, b) => waitsFor(graph, a, b));
}

export function waitsFor({ ids, waits }: Relation, a: string, b: string): boolean {
  return waits[ids.indexOf(a)]?.[ids.indexOf(b)] ?? false;
}

/** All that some nodes wait for, themselves not counted unless one waits for the other. */
export function prerequisites(graph: Relation, from: readonly string[]): string[] {
  return graph.ids.filter((b) => from.some((a) => waitsFor(graph, a, b)));
}

/** For each node the heaviest chain that ends with it, by relaxing until nothing can change any more. */
export function heaviest(graph: Relation, weight: (id: string) => number): Map<string, number> {
  const sums = new Map(graph.ids.map((id) => [id, weight(id)]));
  for (const _ of graph.ids) {
    for (const a of graph.ids) {
      const sum = (b: string) => (sums.get(b) ?? 0) + weight(a);
      sums.set(a, Math.max(weight(a), ...prerequisites(graph, [a]).map(sum)));
    }
  }
  return sums;
}

/** Every chain that begins with a node that waits for nothing: each waits for the one before it. */
export function chains(graph: Relation): string[][] {
  const endingWith = (id: string): string[][] => {
    const earlier = prerequisites(graph, [id]);
    if (earlier.length === 0) return [[id]];
    return earlier.flatMap((other) => endingWith(other).map((chain) => [...chain, id]));
  };
  return graph.ids.flatMap(endingWith);
}

/** How far the nearest goal is, by the number of steps after which the set of places one may be at meets it. */
export function stepsTo(lists: Lists, from: string, goals: readonly string[]): number | undefined {
  let places = [from];
  for (let steps = 0; steps <= lists.size; steps++) {
    if (places.some((id) => goals.includes(id))) return steps;
    places = [...new Set(places.flatMap((id) => lists.get(id) ?? []))];
  }
  return undefined;
}
