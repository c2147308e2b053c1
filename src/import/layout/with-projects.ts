// AppProjects, said where they differ from what is inherited: the platform's, that of the stacks around, that of the stack.
import { ARGOCD_PROJECT } from '../../model/settings.ts';
import { containersOf } from '../../model/stack-tree.ts';
import type { Proposal } from '../proposal.ts';
import type { LaidStack } from './layout.ts';
import { isApplicationName } from './layout-names.ts';

/** Undefined where it is none that a file can name. */
export const projectIn = ({ project }: { readonly project?: string }): string | undefined =>
  project !== undefined && isApplicationName(project) ? project : undefined;

export function withProjects(stacks: readonly LaidStack[], proposal: Proposal): LaidStack[] {
  const ofPlatform = projectIn(proposal) ?? ARGOCD_PROJECT;
  const wanted = wantedProjects(proposal, ofPlatform);
  const said = new Map(
    stacks.map((stack) => [stack.name, projectOfStack(stack, wanted) ?? undefined]),
  );
  const containers = containersOf(stacks);
  return stacks.map((stack) => {
    const around = containers(stack).find(({ name }) => said.get(name) !== undefined);
    const inherited = said.get(around?.name ?? '') ?? ofPlatform;
    const own = said.get(stack.name) ?? inherited;
    return {
      ...stack,
      ...(own !== inherited && { project: own }),
      applications: stack.applications.map((application) => {
        const project = wanted.get(application.name) ?? ofPlatform;
        return project === own ? application : { ...application, project };
      }),
    };
  });
}

/** By the name of the Application. */
function wantedProjects({ stacks }: Proposal, ofPlatform: string): ReadonlyMap<string, string> {
  const wanted = new Map<string, string>();
  for (const stack of stacks) {
    if (stack.application !== undefined)
      wanted.set(stack.application, projectIn(stack) ?? ofPlatform);
    for (const application of stack.applications) {
      wanted.set(application.name, projectIn(application) ?? ofPlatform);
    }
  }
  return wanted;
}

/** That of the stack's Application, else the one that all its members share. */
function projectOfStack(
  { application, applications }: LaidStack,
  wanted: ReadonlyMap<string, string>,
): string | undefined {
  if (application !== undefined) return wanted.get(application);
  const projects = new Set(applications.map(({ name }) => wanted.get(name)));
  return projects.size === 1 ? [...projects][0] : undefined;
}
