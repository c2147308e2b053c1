// The hold as it is before the first deployment: nothing that syncs by itself overtakes the run that is to come.
import type { Platform } from '../model/platform.ts';
import { HOLD_ANNOTATION, holdWindow } from '../run/hold.ts';
import { API } from './argocd/application.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Written as the hold's owner, in the place of a run. */
const BOOTSTRAP = 'bootstrap';

export function holdEverything({ objects, namespace }: Rehearsal, platform: Platform): void {
  const parents = [platform, ...platform.stacks].flatMap(({ address }) => address ?? []);
  const members = platform.stacks.flatMap(({ applications }) => applications);
  const addresses = [...parents, ...members.map(({ address }) => address)];
  for (const project of new Set(addresses.map((address) => address.project))) {
    const object = objects.get(API, 'AppProject', namespace, project);
    if (!object) continue;
    const names = addresses.filter((address) => address.project === project);
    const { given: _, ...window } = holdWindow(names.map(({ name }) => name));
    const annotations = { [HOLD_ANNOTATION]: `${platform.name}/${BOOTSTRAP}` };
    objects.update(object, (now) => ({
      ...now,
      metadata: { ...now.metadata, annotations },
      spec: { ...now.spec, syncWindows: [window] },
    }));
  }
}
