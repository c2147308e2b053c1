// The namespaces that Argo CD created for Applications (CreateNamespace=true), in every cluster that is read.
import type { FoundNamespace } from '../../inventory/namespaces.ts';
import { compareText } from '../../model/names.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { Cluster } from '../../ports/target.ts';
import type { Placed } from './destinations.ts';

export async function madeNamespaces(
  { found, clusters, clusterOf }: Placed,
  listed: readonly ApplicationView[],
  target: Pick<Cluster, 'at'>,
): Promise<FoundNamespace[]> {
  const going = new Set(found.map(({ view }) => view.uid));
  const staying = listed.filter(({ uid }) => !going.has(uid));
  const read = ['', ...clusters.map(({ cluster }) => cluster)].flatMap((cluster) => {
    const made = found
      .filter(({ place }) => place.isSeen && place.cluster === cluster)
      .flatMap(({ view }) => view.createsNamespace ?? []);
    return [...new Set(made)].sort(compareText).map(async (name): Promise<FoundNamespace[]> => {
      const resource = { group: '', kind: 'Namespace', namespace: '', name };
      const there = await target.at(cluster).objects.get(resource);
      if (there === undefined) return [];
      // If it is unknown which cluster another Application deploys to, it may be this one.
      const user = staying.find(
        (one) =>
          one.createsNamespace === name && (clusterOf(one.remoteCluster) ?? cluster) === cluster,
      );
      const uid = there === 'unknown' ? undefined : there.uid;
      return [{ cluster, name, uid, otherUser: user?.name }];
    });
  });
  return (await Promise.all(read)).flat();
}
