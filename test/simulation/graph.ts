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
  const gatesOf = (references: readonly string[]): string[] =>
    references.flatMap((reference) => {
      if (!reference.startsWith('stack:')) return [reference];
      const stack = stacks.get(reference.slice('stack:'.length));
      return stack ? endOf(stack) : [];
    });
  /** An empty stack stands for what it waits for itself. */
  const endOf = ({ application, applications, dependsOn }: StackData): string[] => [
    ...(application === undefined ? [] : [application]),
    ...(applications.length > 0 ? applications.map(({ name }) => name) : gatesOf(dependsOn)),
  ];
  const gates = new Map<string, ReadonlySet<string>>();
  const children = new Map<string, readonly string[]>();
  const projects = new Map<string, string>();
  const top: string[] = [];
  for (const { application, applications, dependsOn, argocd } of spec.stacks) {
    const project = argocd?.project ?? spec.argocd.project;
    const before = gatesOf(dependsOn);
    const members = applications.map(({ name }) => name);
    if (application !== undefined) {
      gates.set(application, new Set(before));
      children.set(application, members);
      projects.set(application, project);
      top.push(application);
    } else top.push(...members);
    for (const { name, dependsOn: own } of applications) {
      gates.set(name, new Set([...before, ...gatesOf(own)]));
      projects.set(name, project);
    }
  }
  if (spec.root !== undefined) {
    gates.set(spec.root, new Set());
    children.set(spec.root, top);
    projects.set(spec.root, spec.argocd.project);
  }
  const whole = spec.stacks.map(({ name, application, applications }) => {
    const own = application === undefined ? [] : [application];
    return [name, [...own, ...applications.map((it) => it.name)]] as const;
  });
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
