// Only a refresh makes Argo CD look soon at Applications that it may sync again.
import { fits } from '../../model/generator-keys.ts';
import type { ApplicationAddress } from '../../model/platform.ts';
import type { Cluster } from '../../ports/target.ts';

/**
 * Refreshes what these names cover; some may be patterns. An Application that cannot be refreshed now is reconciled by
 * Argo CD a little later.
 */
export async function refreshHeld(
  held: readonly ApplicationAddress[],
  { applications }: Pick<Cluster, 'applications'>,
): Promise<void> {
  const patterns = held.filter(({ name }) => name.includes('*'));
  const namespaces = [...new Set(patterns.map(({ namespace }) => namespace))];
  const listed = patterns.length > 0 ? await applications.list(namespaces).catch(() => []) : [];
  const covered = listed.filter(({ name, project }) =>
    patterns.some((one) => one.project === project && fits(one.name, name)),
  );
  const named = held.filter((one) => !patterns.includes(one));
  const looks = [...named, ...covered].map(({ name, namespace, project }) =>
    applications.refresh({ name, namespace, project }).catch(() => undefined),
  );
  await Promise.all(looks);
}
