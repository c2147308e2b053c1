// What is read, cleaned up and saved in a cluster that has objects of Applications, whether Argo CD runs there or not.
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import type { Target } from '../../ports/target.ts';
import type { Patience } from '../retry.ts';
import { mayInCluster } from './access.ts';
import type { KubernetesApi } from './api.ts';
import type { Discovery } from './discovery.ts';
import { parsed } from './errors.ts';
import { kubernetesObjects } from './objects.ts';
import { kubernetesResidue } from './residue.ts';
import { kubernetesSnapshots } from './snapshots.ts';

type WritablePlace = ReturnType<Target['at']>;

/** `patience` is that of the first question: who the cluster is. */
export function kubernetesPlace(
  api: KubernetesApi,
  discovery: Discovery,
  patience?: Partial<Patience>,
): WritablePlace {
  return {
    objects: kubernetesObjects(api, discovery),
    residue: kubernetesResidue(api),
    snapshots: kubernetesSnapshots(api),
    rights: { inCluster: (right) => mayInCluster(api, right) },
    identity: () => identityOf(api, patience),
  };
}

const namespace = z.object({ metadata: z.object({ uid: z.string() }) });

async function identityOf(
  api: KubernetesApi,
  patience: Partial<Patience> | undefined,
): Promise<string | undefined> {
  try {
    const given = await api.get('/api/v1/namespaces/kube-system', patience);
    return given === undefined ? undefined : parsed(namespace, given).metadata.uid;
  } catch (error) {
    if (codeOf(error) === 'cluster-forbidden') return undefined;
    throw error;
  }
}
