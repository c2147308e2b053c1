// Stacks: what parents make stays together; the rest by ApplicationSet, by project, by folder, or in one stack.

import { describeApplication } from './describe.ts';
import { groupBy } from './group.ts';
import type { ApplicationMaterial } from './material.ts';
import type { ProposedStack } from './proposal.ts';
import type { Family } from './tree.ts';

const PROJECTS_MAX = 20;
const NAME_MAX = 63;

export interface Grouping {
  readonly root?: string;
  readonly stacks: readonly ProposedStack[];
}

export function groupIntoStacks(
  applications: readonly ApplicationMaterial[],
  family: Family,
  platform: string,
  project: string | undefined,
): Grouping {
  const describe = (application: ApplicationMaterial) => describeApplication(application, project);
  const byName = new Map(applications.map((application) => [application.name, application]));
  const isParent = ({ name }: ApplicationMaterial) =>
    family.children(name).some((child) => byName.has(child));
  const root = rootOf(applications, isParent, byName);
  const members = applications.filter(({ name }) => name !== root);
  const names = uniqueNames();
  const parents = members.filter(isParent).map((application) => ({
    application,
    stack: names(application.name),
  }));
  const stackOf = new Map(parents.map(({ application, stack }) => [application.name, stack]));
  const around = (name: string) =>
    family
      .ancestors(name)
      .map((ancestor) => stackOf.get(ancestor))
      .find((stack) => stack !== undefined);
  const leaves = groupBy(
    members.filter((application) => !isParent(application)),
    ({ name }) => around(name) ?? '',
  );
  const byParent = parents.map(({ application, stack }): ProposedStack => {
    const outer = around(application.name);
    return {
      name: stack,
      application: application.name,
      ...(application.project === project ? {} : { project: application.project }),
      ...(outer === undefined ? {} : { parent: outer }),
      applications: (leaves.get(stack) ?? []).map(describe),
    };
  });
  const rest = groupRest(leaves.get('') ?? [], platform, parents.length > 1);
  const others = rest.map(
    ([name, group]): ProposedStack => ({
      name: names(name),
      applications: group.map(describe),
    }),
  );
  const stacks = [...byParent, ...others].sort((one, other) => (one.name < other.name ? -1 : 1));
  return root === undefined ? { stacks } : { root, stacks };
}

/** The one application that no other one creates, if it creates others. */
function rootOf(
  applications: readonly ApplicationMaterial[],
  isParent: (application: ApplicationMaterial) => boolean,
  byName: ReadonlyMap<string, ApplicationMaterial>,
): string | undefined {
  const top = applications.filter(({ parent }) => parent === undefined || !byName.has(parent));
  const makers = top.filter(isParent);
  return makers.length === 1 ? makers[0]?.name : undefined;
}

function groupRest(
  applications: readonly ApplicationMaterial[],
  platform: string,
  hasStacks: boolean,
): [name: string, group: ApplicationMaterial[]][] {
  if (applications.length === 0) return [];
  const bySet = groupBy(applications, ({ applicationSet }) => applicationSet ?? platform);
  const byProject = groupBy(applications, ({ project }) => project);
  const byFolder = groupBy(applications, (application) => folderOf(application) ?? platform);
  if (!hasStacks && isGrouping(bySet, applications)) return [...bySet];
  if (!hasStacks && byProject.size > 1 && byProject.size <= PROJECTS_MAX) return [...byProject];
  if (!hasStacks && isGrouping(byFolder, applications)) return [...byFolder];
  return [[platform, [...applications]]];
}

/** Groups of one are none: some platforms have an ApplicationSet, or a folder, for every Application. */
const isGrouping = (groups: ReadonlyMap<string, unknown>, all: readonly unknown[]): boolean =>
  groups.size > 1 && groups.size * 2 <= all.length;

function folderOf({ sources }: ApplicationMaterial): string | undefined {
  const path = sources.find((source) => source.path !== undefined)?.path;
  return path?.split('/').find((part) => part !== '' && part !== '.');
}

/** Names of stacks are labels: no dots, and each once. */
function uniqueNames(): (text: string) => string {
  const taken = new Set<string>();
  return (text) => {
    const plain = text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')
      .slice(0, NAME_MAX - 4);
    const base = plain.replaceAll(/^-+|-+$/g, '') || 'stack';
    let name = base;
    for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
    taken.add(name);
    return name;
  };
}
