// Applications whose manifests Argo CD's source hydrator writes.
import type { Diagnostic } from '../errors.ts';
import { quote } from '../model/names.ts';
import { type ApplicationView, HYDRATED } from '../ports/application-view.ts';

export function hydrated({ name, hydrated: isHydrated }: ApplicationView): Diagnostic[] {
  if (!isHydrated) return [];
  return [
    {
      code: 'application-hydrated',
      message: `Application ${quote(name)} cannot be deployed: ${HYDRATED}.`,
      hint: 'Give it a `source` with the synced branch, or remove it from the platform file.',
    },
  ];
}
