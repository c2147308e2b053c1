// The clusters that Applications deploy to beside Argo CD's own, each through a context of the kubeconfig. Nothing is opened
// before something is asked of it: most commands never do.
import { TiphysError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Target } from '../ports/target.ts';
import { kubernetesApi } from './kubernetes/api.ts';
import { Discovery } from './kubernetes/discovery.ts';
import { kubernetesPlace } from './kubernetes/place.ts';
import { type KubernetesPlace, kubernetesTransport } from './kubernetes/transport.ts';
import type { Patience, World } from './retry.ts';
import type { Transport } from './transport.ts';

/** How one of them is reached. */
export interface DestinationWay {
  readonly context: string;
  readonly transport: Transport;
}

/** By the server or name that Applications give. */
export type DestinationWays = ReadonlyMap<string, DestinationWay>;

/** None in a pod: it has no kubeconfig, and every context would be the cluster that it is in. */
export function waysThrough(
  contexts: ReadonlyMap<string, string>,
  place: KubernetesPlace,
  clock: Clock,
  warn: (message: string) => void,
): DestinationWays {
  if (place.inCluster) return new Map();
  const ways = [...contexts].map(([called, context]): [string, DestinationWay] => {
    const open = async () => {
      const { transport, unsafe } = await kubernetesTransport({ ...place, context }, clock);
      if (unsafe !== undefined) warn(unsafe);
      return transport;
    };
    return [called, { context, transport: opened(open) }];
  });
  return new Map(ways);
}

/** Opens it with the first request. A failure is not kept. */
function opened(open: () => Promise<Transport>): Transport {
  let opening: Promise<Transport> | undefined;
  const transport = (): Promise<Transport> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    send: async (request) => (await transport()).send(request),
    stream: async (request) => (await transport()).stream(request),
  };
}

/** `own`: Argo CD's own cluster, which is called ''. */
export function places(
  ways: DestinationWays,
  own: ReturnType<Target['at']>,
  world: World,
  patience: Partial<Patience>,
): Pick<Target, 'contexts' | 'at'> {
  const known = new Map([['', own]]);
  return {
    contexts: new Map([...ways].map(([called, { context }]) => [called, context])),
    at: (cluster) => {
      const way = ways.get(cluster);
      const place = known.get(cluster) ?? (way && placeOf(way, world, patience));
      if (!place) throw unreached(cluster);
      known.set(cluster, place);
      return place;
    },
  };
}

function placeOf({ transport }: DestinationWay, world: World, patience: Partial<Patience>) {
  const api = kubernetesApi(transport, world);
  return kubernetesPlace(api, new Discovery(api), patience);
}

function unreached(cluster: string): TiphysError {
  const message = `The cluster ${cluster} has no context.`;
  const hint =
    'Set it in destinations of the environment file, as it was when the teardown was approved.';
  return new TiphysError([{ code: 'kubeconfig-invalid', message, hint }]);
}
