// The hold as it is before the first deployment: no automated sync overtakes the first run.
import type { ApplicationAddress, Platform } from '../model/platform.ts';
import type { ProjectWindow } from '../ports/app-projects.ts';
import { HOLD_ANNOTATION, holdWindow } from './hold.ts';

/** Written as the hold's owner, in the place of a run. */
const BOOTSTRAP = 'bootstrap';

export interface ProjectAtFirst {
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly window: Omit<ProjectWindow, 'given'>;
}

/** Every AppProject of the platform, with all of its Applications held. */
export function projectsAtFirst(platform: Platform): readonly ProjectAtFirst[] {
  const addresses = addressesOf(platform);
  return [...new Set(addresses.map(({ project }) => project))].map((project) => {
    const names = addresses.filter((address) => address.project === project);
    const { given: _, ...window } = holdWindow(names.map(({ name }) => name));
    const annotations = { [HOLD_ANNOTATION]: `${platform.name}/${BOOTSTRAP}` };
    return { name: project, annotations, window };
  });
}

function addressesOf(platform: Platform): readonly ApplicationAddress[] {
  const parents = [platform, ...platform.stacks].flatMap(({ address }) => address ?? []);
  const members = platform.stacks.flatMap(({ applications }) => applications);
  return [...parents, ...members.map(({ address }) => address)];
}
