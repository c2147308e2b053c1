// Which cluster bootstrap acts on, or its removal: Argo CD may not be there.
import type { Platform } from '../../model/platform.ts';
import type { Where } from '../../report/where.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import type { Io } from '../io.ts';

/** Throws where the cluster is recorded under another name than the environment file says. */
export async function namedCluster(
  io: Io,
  { kubeconfig, context, defaults }: ConnectionOptions,
  platform: Platform,
): Promise<Where | undefined> {
  const [{ connectToPlace }, { findWhere }, { requireClusterName }] = await Promise.all([
    import('../../targets/connect.ts'),
    import('../../engines/inspect/find-where.ts'),
    import('../../session/cluster-name.ts'),
  ]);
  const { argocdNamespace: namespace, clusterName } = platform;
  const place = await connectToPlace({ ...io, kubeconfig, context, namespace });
  await requireClusterName(clusterName, place);
  return await findWhere(platform, place, defaults);
}
