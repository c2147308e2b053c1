// Reading from an API server that is behind: what it shows is true, but of some time ago.
import type { History } from './object-history.ts';
import type { KubeObject, Objects } from './object-store.ts';
import { kindOf } from './served-kinds.ts';

export interface Reader {
  readonly get: (
    apiVersion: string,
    kind: string,
    namespace: string | undefined,
    name: string,
  ) => KubeObject | undefined;
}

/** `moment`: of when it is shown; undefined: of now. */
export function lagging(
  objects: Objects,
  history: History,
  moment: () => number | undefined,
): Reader {
  return {
    get: (apiVersion, kind, namespace, name) => {
      const at = moment();
      const now = objects.get(apiVersion, kind, namespace, name);
      if (at === undefined) return now;
      return history.asOf(kindOf(apiVersion, kind).id, namespace, name, at, now);
    },
  };
}
