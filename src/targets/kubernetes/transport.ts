// The way to the Kubernetes API, from what the user gave.
import type { Clock } from '../../ports/clock.ts';
import type { ClusterAddress } from '../../ports/target.ts';
import { httpTransport } from '../http/http-transport.ts';
import type { Transport } from '../transport.ts';
import { kubernetesCredentials } from './credentials.ts';
import type { RunProgram } from './exec-plugin.ts';
import { type InCluster, inClusterCredentials, isInPod } from './in-cluster.ts';
import { foundKubeconfigs } from './kubeconfig.ts';
import { renewing } from './renewing.ts';

export interface KubernetesPlace {
  /** The file; undefined: as kubectl finds it, else the place inside a cluster. */
  readonly kubeconfig?: string | undefined;
  /** The text of it, where there is no file. */
  readonly kubeconfigText?: string | undefined;
  readonly context?: string | undefined;
  /** The ServiceAccount of a pod, instead of any kubeconfig. */
  readonly inCluster?: InCluster | undefined;
  readonly environment: (name: string) => string | undefined;
  readonly runProgram: RunProgram;
}

interface KubernetesWay {
  readonly transport: Transport;
  readonly server: () => Promise<string>;
  readonly address: ClusterAddress;
  /** Why others may listen or answer in its place; undefined: they cannot. */
  readonly unsafe: string | undefined;
}

export async function kubernetesTransport(
  place: KubernetesPlace,
  clock: Clock,
): Promise<KubernetesWay> {
  const inCluster = place.inCluster ?? (await podInstead(place));
  const credentials = inCluster
    ? inClusterCredentials(inCluster, clock)
    : await kubernetesCredentials({ ...choiceOf(place), runProgram: place.runProgram }, clock);
  return {
    unsafe: credentials.unsafe,
    address: credentials.address,
    transport: renewing(httpTransport(credentials.access, clock), credentials.renew, clock),
    server: async () => (await credentials.access()).server,
  };
}

const choiceOf = ({ kubeconfig, kubeconfigText: text, context, environment }: KubernetesPlace) => ({
  ...{ kubeconfig, text, context, environment },
});

/** Where there is no kubeconfig at all, the pod that this runs in, if it is one. */
async function podInstead({
  kubeconfig,
  kubeconfigText,
  context,
  environment,
}: KubernetesPlace): Promise<InCluster | undefined> {
  if ((kubeconfig ?? kubeconfigText ?? context) !== undefined) return undefined;
  const host = environment('KUBERNETES_SERVICE_HOST');
  const port = environment('KUBERNETES_SERVICE_PORT');
  if (!host || !port || environment('KUBECONFIG')) return undefined;
  const found = await foundKubeconfigs(environment);
  return found.length === 0 && (await isInPod()) ? { host, port } : undefined;
}
