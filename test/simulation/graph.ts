// Who waits for whom, read from the data of the platform file alone: what the checkers measure the engine by.
import type { PlatformData, StackData } from './shape.ts';

export interface Reading {
  /** Name of an Application -> the Applications whose gates must have opened before its sync is asked for. */
  readonly gates: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those that make others. */
  readonly parents: ReadonlySet<string>;
  /** Parent -> what it makes. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly projects: ReadonlyMap<string, string>;
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
  return { gates, parents: new Set(children.keys()), children, projects };
}
