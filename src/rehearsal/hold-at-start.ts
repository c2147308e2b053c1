// The hold that bootstrap puts into the AppProjects, in a rehearsal.
import type { Platform } from '../model/platform.ts';
import { projectsAtFirst } from '../run/bootstrap-hold.ts';
import { API } from '../simulator/argocd/application.ts';
import type { Rehearsal } from './rehearsal.ts';

export function holdEverything({ objects, namespace }: Rehearsal, platform: Platform): void {
  for (const { name, annotations, window } of projectsAtFirst(platform)) {
    const object = objects.get(API, 'AppProject', namespace, name);
    if (!object) continue;
    objects.update(object, (now) => ({
      ...now,
      metadata: { ...now.metadata, annotations },
      spec: { ...now.spec, syncWindows: [window] },
    }));
  }
}
