// The way to the Kubernetes API, from what the user gave.
import type { Clock } from '../../ports/clock.ts';
import { httpTransport } from '../http/http-transport.ts';
import type { Transport } from '../transport.ts';
import { kubernetesCredentials } from './credentials.ts';
import { type InCluster, inClusterCredentials } from './in-cluster.ts';
import { renewing } from './renewing.ts';

export interface KubernetesPlace {
  /** The file; undefined: as kubectl finds it, else the place inside of a cluster. */
  readonly kubeconfig?: string | undefined;
  /** The text of it, where there is no file. */
  readonly kubeconfigText?: string | undefined;
  readonly context?: string | undefined;
  /** The ServiceAccount of a pod, instead of any kubeconfig. */
  readonly inCluster?: InCluster | undefined;
}

interface KubernetesWay {
  readonly transport: Transport;
  readonly server: () => Promise<string>;
  /** Why others may listen or answer in its place; undefined: nobody can. */
  readonly unsafe: string | undefined;
}

export async function kubernetesTransport(
  { kubeconfig, kubeconfigText: text, context, inCluster }: KubernetesPlace,
  clock: Clock,
): Promise<KubernetesWay> {
  const credentials = inCluster
    ? inClusterCredentials(inCluster, clock)
    : await kubernetesCredentials({ kubeconfig, text, context }, clock);
  return {
    unsafe: credentials.unsafe,
    transport: renewing(httpTransport(credentials.access, clock), credentials.renew, clock),
    server: async () => (await credentials.access()).server,
  };
}
