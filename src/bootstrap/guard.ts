// What the policy of workflows/guard.yaml reads on the platform's AppProjects: that they are guarded, and which accounts may still sync.
import type { EnvironmentFile } from '../model/environment-file.ts';
import { BREAK_GLASS } from '../run/break-glass.ts';
import type { Value } from './manifest.ts';

interface Guard {
  readonly [key: string]: Value;
  readonly wanted: boolean;
  /** For a patch: null removes the key. */
  readonly metadata: { readonly [key: string]: Readonly<Record<string, string | null>> };
}

const LABEL = 'tiphys.dev/guard';
const PLATFORM = 'guard.tiphys.dev/platform';

export function guardOf(platform: string, guard: EnvironmentFile['guard']): Guard {
  const accounts = (guard?.breakGlass ?? []).join(' ');
  const wanted = guard !== undefined;
  return {
    wanted,
    metadata: {
      labels: { [LABEL]: wanted ? 'true' : null },
      annotations: {
        [PLATFORM]: wanted ? platform : null,
        [BREAK_GLASS]: wanted ? accounts : null,
      },
    },
  };
}
