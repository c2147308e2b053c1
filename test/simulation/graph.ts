// Who waits for whom, read from the data of the platform file alone: what the checkers measure the engine by.
import type { Random } from '../../src/simulator/random.ts';
import type { PlatformData, StackData } from './shape.ts';

export interface Reading {
  /** Name of an Application -> the Applications whose gates must have opened before its sync is asked for. */
  readonly gates: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those that make others. */
  readonly parents: ReadonlySet<string>;
  /** Parent -> what it makes. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly projects: ReadonlyMap<string, string>;
  /** Stack -> its members, and its own Application. */
  readonly stacks: ReadonlyMap<string, readonly string[]>;
}

export function readPlatform({ spec }: PlatformData): Reading {
  const stacks = new Map(spec.stacks.map((stack) => [stack.name, stack]));
  const insideOf = (outer: string) => spec.stacks.filter(({ parent }) => parent === outer);
  /** It and those around it, the nearest first. */
  const levelsOf = (stack: StackData): readonly StackData[] => {
    const around = stacks.get(stack.parent ?? '');
    return around ? [stack, ...levelsOf(around)] : [stack];
  };
  const gatesOf = (references: readonly string[]): string[] =>
    references.flatMap((reference) => {
      if (!reference.startsWith('stack:')) return [reference];
      const stack = stacks.get(reference.slice('stack:'.length));
      return stack ? endOf(stack) : [];
    });
  const beforeOf = (stack: StackData): string[] =>
    levelsOf(stack).flatMap(({ dependsOn }) => gatesOf(dependsOn));
  const contentOf = ({ name, application, applications }: StackData): string[] => [
    ...(application === undefined ? [] : [application]),
    ...applications.map((one) => one.name),
    ...insideOf(name).flatMap(contentOf),
  ];
  /** An empty stack stands for what it waits for itself. */
  const endOf = (stack: StackData): string[] => {
    const isEmpty = stack.applications.length === 0 && insideOf(stack.name).length === 0;
    const inside = insideOf(stack.name).flatMap(endOf);
    return [...contentOf(stack), ...inside, ...(isEmpty ? beforeOf(stack) : [])];
  };
  const gates = new Map<string, ReadonlySet<string>>();
  const children = new Map<string, string[]>();
  const projects = new Map<string, string>();
  for (const application of [...spec.stacks.map((stack) => stack.application), spec.root])
    if (application !== undefined) children.set(application, []);
  for (const stack of spec.stacks) {
    const { application, applications } = stack;
    const levels = levelsOf(stack);
    const project = levels.find(({ argocd }) => argocd)?.argocd?.project ?? spec.argocd.project;
    const before = beforeOf(stack);
    const makers = [...levels.map((level) => level.application), spec.root];
    const add = (name: string, waits: readonly string[], maker: string | undefined) => {
      gates.set(name, new Set(waits));
      projects.set(name, project);
      if (maker !== undefined) children.get(maker)?.push(name);
    };
    const isThere = (one: string | undefined) => one !== undefined;
    if (application !== undefined) add(application, before, makers.slice(1).find(isThere));
    for (const { name, dependsOn } of applications)
      add(name, [...before, ...gatesOf(dependsOn)], makers.find(isThere));
  }
  if (spec.root !== undefined) {
    gates.set(spec.root, new Set());
    projects.set(spec.root, spec.argocd.project);
  }
  const whole = spec.stacks.map((stack) => [stack.name, contentOf(stack)] as const);
  const parents = new Set(children.keys());
  return { gates, parents, children, projects, stacks: new Map(whole) };
}

/** A part of the platform, with all that it depends on. */
export type Scope = readonly string[];

/** In some worlds one application or one stack. */
export function scopeOf(random: Random, { gates, parents, stacks }: Reading): Scope | undefined {
  if (!random.chance(0.15)) return undefined;
  const full = [...stacks].filter(([, members]) => members.length > 0).map(([name]) => name);
  if (random.chance(0.4)) return [`stack:${random.pick(full)}`];
  return [`app:${random.pick([...gates.keys()].filter((name) => !parents.has(name)))}`];
}

/** What a command with that scope is about: what is in it, what that depends on, and the parents that make these. */
export function membersOf(
  { gates, children, stacks }: Reading,
  scope: Scope | undefined,
): ReadonlySet<string> {
  if (!scope) return new Set(gates.keys());
  const planned = new Set<string>();
  const makersOf = (name: string) =>
    [...children].filter(([, made]) => made.includes(name)).map(([parent]) => parent);
  const take = (name: string) => {
    if (planned.has(name)) return;
    planned.add(name);
    for (const one of [...(gates.get(name) ?? []), ...makersOf(name)]) take(one);
  };
  for (const reference of scope) {
    const [kind, name = ''] = reference.split(':');
    for (const one of kind === 'stack' ? (stacks.get(name) ?? []) : [name]) take(one);
  }
  return planned;
}
