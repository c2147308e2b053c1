// What a cluster is called: the first deployment whose environment file says it records it, for all platforms there, in a ConfigMap
// that Kubernetes never changes. A deployment with another cluster's environment file is refused by it.
import { TiphysError } from '../errors.ts';
import { quote } from '../model/names.ts';
import type { StoredText, StoreReads } from '../ports/record-store.ts';
import type { WriteResult } from '../ports/write-result.ts';

const NAME = 'tiphys-cluster';
const LABEL = ['tiphys.dev/cluster', 'name'] as const;
const FILE = 'name';

export async function recordedClusterName(store: StoreReads): Promise<string | undefined> {
  const stored = await store.list(new Map([LABEL]));
  const bytes = stored.find(({ name }) => name === NAME)?.data.get(FILE);
  return bytes && new TextDecoder().decode(bytes);
}

const textOf = (clusterName: string): StoredText => ({
  name: NAME,
  labels: new Map([LABEL]),
  annotations: new Map(),
  data: new Map([[FILE, new TextEncoder().encode(clusterName)]]),
  isSealed: true,
});

/** Throws where the cluster is recorded under another name. Without a name nothing is asked. */
export async function requireClusterName(
  clusterName: string | undefined,
  { store, namespace }: { readonly store: StoreReads; readonly namespace: string },
): Promise<void> {
  if (clusterName === undefined) return;
  const recorded = await recordedClusterName(store);
  if (recorded !== undefined && recorded !== clusterName)
    throw otherCluster(clusterName, recorded, namespace);
}

interface Recording {
  readonly clusterName: string | undefined;
  readonly target: { readonly store: StoreReads; readonly namespace: string };
  /** Keeps a text for a run that owns its platform. */
  readonly keepText: (text: StoredText) => Promise<WriteResult>;
  readonly warn: (message: string) => void;
}

/** If it has no record yet. Throws where another run was quicker with another name; a record that cannot be written is no reason to stop. */
export async function recordClusterName(recording: Recording): Promise<void> {
  const { clusterName, target, keepText, warn } = recording;
  if (clusterName === undefined || (await recordedClusterName(target.store)) !== undefined) return;
  const result = await keepText(textOf(clusterName));
  if (result.kind === 'done') return;
  await requireClusterName(clusterName, target);
  warn(`the name of the cluster could not be recorded: ${result.message}`);
}

function otherCluster(wanted: string, recorded: string, namespace: string): TiphysError {
  return new TiphysError([
    {
      code: 'cluster-name-differs',
      message: `The environment file is for cluster ${quote(wanted)}, and this cluster is ${quote(recorded)}.`,
      hint: `Choose the right --context or environment file. If the cluster was renamed: kubectl -n ${namespace} delete configmap ${NAME}`,
    },
  ]);
}
