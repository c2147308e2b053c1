// Proposal -> layout of a platform file.
import { DEPENDENCIES_MAX } from '../../model/limits.ts';
import { compareText, quote } from '../../model/names.ts';
import { isBuiltInClass } from '../../model/settings.ts';
import type { Proposal, ProposedApplication } from '../proposal.ts';
import { closingCycles } from './closing-cycles.ts';
import { placesOf, type Reference, referencesOf, referenceTo } from './dependency-references.ts';
import type {
  LaidApplication,
  LaidDependency,
  LaidStack,
  Layout,
  LayoutProblem,
} from './layout.ts';
import {
  argocdNamespaceIn,
  claimNames,
  durationOf,
  nameStacks,
  parentsOf,
  platformName,
  type Tell,
} from './layout-names.ts';
import { projectIn, withProjects } from './with-projects.ts';

/** `after`: the stack that a stack waits for, both as the proposal calls them. */
export function layOut(proposal: Proposal, after: ReadonlyMap<string, string> = new Map()): Layout {
  const problems: LayoutProblem[] = [];
  const tell: Tell = (problem) => problems.push(problem);
  const isClaimed = claimNames(tell);
  const root = isClaimed(proposal.root) ? proposal.root : undefined;
  const project = projectIn(proposal);
  const empty = emptyStacks(proposal, after, isClaimed, tell);
  const found = referencesOf(proposal.edges, placesOf(root, empty), empty);
  problems.push(...found.problems);
  return {
    platform: platformName(proposal, tell),
    argocdNamespace: argocdNamespaceIn(proposal, tell),
    ...(project !== undefined && { project }),
    ...(root !== undefined && { root }),
    stacks: withProjects(withDependencies(empty, found.references, tell), proposal),
    problems: problems.sort(
      (a, b) => compareText(a.subject, b.subject) || compareText(a.message, b.message),
    ),
  };
}

type IsClaimed = ReturnType<typeof claimNames>;

/** Without what the evidence says. Stacks' own Applications claim their names before members do. */
function emptyStacks(
  { stacks }: Proposal,
  after: ReadonlyMap<string, string>,
  isClaimed: IsClaimed,
  tell: Tell,
): LaidStack[] {
  const names = nameStacks(stacks, tell);
  const called = new Map(stacks.map(({ name }, at) => [name, names[at] ?? name]));
  const parents = parentsOf(stacks, names, tell);
  const own = stacks.map(({ application }) => (isClaimed(application) ? application : undefined));
  return stacks.map((stack, at): LaidStack => {
    const before = called.get(after.get(stack.name) ?? '');
    return {
      name: names[at] ?? '',
      ...(own[at] !== undefined && { application: own[at] }),
      ...(parents[at] !== undefined && { parent: parents[at] }),
      dependsOn: before === undefined ? [] : [{ reference: `stack:${before}`, isWritten: true }],
      applications: stack.applications
        .filter(({ name }) => isClaimed(name))
        .map((application) => laidApplication(application, tell)),
    };
  });
}

function laidApplication(application: ProposedApplication, tell: Tell): LaidApplication {
  const { name, fromHistory } = application;
  const known = application.class === undefined || isBuiltInClass(application.class);
  if (!known)
    tell({ subject: name, message: `there is no class ${quote(application.class ?? '')}` });
  const expectedDuration = durationOf(application.expectedDuration);
  return {
    name,
    ...(known && application.class !== undefined && { class: application.class }),
    ...(expectedDuration !== undefined && { expectedDuration }),
    fromHistory,
    dependsOn: [],
  };
}

function withDependencies(
  stacks: readonly LaidStack[],
  references: readonly Reference[],
  tell: Tell,
): LaidStack[] {
  const written = references.filter(({ edge }) => edge.status === 'written');
  const takenOut = closingCycles(stacks, written);
  const byOwner = new Map<string, LaidDependency[]>();
  for (const one of references) {
    const because = takenOut.get(one);
    const reference = referenceTo(one.target);
    if (because !== undefined)
      tell({
        subject: one.edge.dependent,
        message: `cannot wait for ${quote(one.edge.dependency)}: ${because}`,
      });
    const isWritten = one.edge.status === 'written' && because === undefined;
    const entry = {
      reference,
      edge: one.edge,
      isWritten,
      ...(because !== undefined && { because }),
    };
    const owner = ownerOf(one.owner);
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), entry]);
  }
  const dependsOn = (owner: string) => capped(byOwner.get(owner) ?? []);
  return stacks.map((stack) => ({
    ...stack,
    dependsOn: [...stack.dependsOn, ...dependsOn(`stack ${stack.name}`)],
    applications: stack.applications.map((application) => ({
      ...application,
      dependsOn: dependsOn(`app ${application.name}`),
    })),
  }));
}

const ownerOf = (owner: Reference['owner']): string =>
  owner.kind === 'parent' ? `stack ${owner.stack}` : `app ${owner.name}`;

/** Written ones first, each part by name; no more than a file may have. */
function capped(entries: readonly LaidDependency[]): LaidDependency[] {
  const sorted = [...entries].sort(
    (a, b) => Number(b.isWritten) - Number(a.isWritten) || compareText(a.reference, b.reference),
  );
  return sorted.map((entry, at) =>
    at < DEPENDENCIES_MAX || !entry.isWritten
      ? entry
      : { ...entry, isWritten: false, because: `there are more than ${DEPENDENCIES_MAX}` },
  );
}
