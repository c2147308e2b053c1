// The edges of phase 0, put together: programs, cluster, network and files of this process.
import { join } from 'node:path';
import type { PodRun, PreflightContext } from '../../preflight/preflight-context.ts';
import type { ConnectionOptions } from '../input/connection.ts';
import { type FileOptions, readSource } from '../input/read-source.ts';
import type { Io } from '../io.ts';

export interface PreflightOptions
  extends FileOptions,
    Pick<ConnectionOptions, 'kubeconfig' | 'context'> {
  /** A folder with charts, where they are not fetched. */
  readonly charts?: string;
  /** A folder with files of credentials. */
  readonly secrets?: string;
  /** Makes a pod in the cluster that asks from there; with this image. */
  readonly fromCluster?: boolean;
  readonly image?: string;
  /** Registries, instead of the usual ones. */
  readonly imageSource?: readonly string[];
}

/** Ansible refuses to start in another locale. */
export const UTF8 = { LC_ALL: 'C.UTF-8' } as const;

/** A program that only prints its version needs no longer. */
const PROGRAM_MS = 15_000;

export async function openPreflightContext(io: Io, options: PreflightOptions, signal: AbortSignal) {
  const { request, connect, close } = await outsideOf(io, signal);
  const cluster = await clusterOf(io, options, signal);
  const runs = new Map<string, ReturnType<PreflightContext['run']>>();
  const world: PreflightContext = {
    request,
    connect,
    exists: io.exists,
    now: () => Math.floor(io.clock.now() / 1000),
    ...cluster.world,
    run: (program, ...args) => {
      const key = JSON.stringify([program, args]);
      const call = { program, args, timeoutMs: PROGRAM_MS, signal, environment: UTF8 };
      const run = runs.get(key) ?? io.runProgram(call);
      runs.set(key, run);
      return run;
    },
    list: (folder) => (io.exists(folder) ? io.listFolder(folder).map(({ name }) => name) : []),
    secret: (name) => {
      const path = options.secrets === undefined ? undefined : join(options.secrets, name);
      return path !== undefined && io.exists(path) ? readSource(io, path, '').text : undefined;
    },
  };
  return { world, close: () => Promise.all([close(), cluster.close()]) };
}

async function outsideOf(io: Io, signal: AbortSignal) {
  const { outside } = await import('../../targets/http/outside.ts');
  const variable = (name: string) => io.environment(name.toLowerCase()) || io.environment(name);
  const proxies = {
    http: variable('HTTP_PROXY'),
    https: variable('HTTPS_PROXY'),
    no: variable('NO_PROXY'),
  };
  return outside(proxies, io.clock, signal);
}

async function clusterOf(io: Io, options: PreflightOptions, signal: AbortSignal) {
  const [{ clusterReader }, { kubernetesTransport }] = await Promise.all([
    import('../../targets/kubernetes/cluster-reader.ts'),
    import('../../targets/kubernetes/transport.ts'),
  ]);
  const { clock, random } = io;
  const { kubeconfig, context, image = '' } = options;
  const reached = kubernetesTransport({ ...io, kubeconfig, context }, clock);
  const sight = reached.then(({ transport }) =>
    clusterReader(transport, { clock, random }, signal),
  );
  // Each row that needs it says so; a failure that no row needs is no crash.
  sight.catch(() => undefined);
  let pod: Promise<unknown> = Promise.resolve();
  const askFromCluster: PreflightContext['askFromCluster'] = (questions) => {
    const run = (async (): Promise<PodRun> => {
      const { transport } = await reached;
      const [{ askFromPod }, { kubernetesApi }] = await Promise.all([
        import('../../targets/kubernetes/probe-pod.ts'),
        import('../../targets/kubernetes/api.ts'),
      ]);
      const api = kubernetesApi(transport, { clock, random });
      const name = `tiphys-preflight-${io.randomId()}`;
      return askFromPod(api, { image, name, questions }, signal);
    })();
    pod = run.catch(() => undefined);
    return run;
  };
  const server = async () => (await reached).server();
  // A pod that was made is removed before anything else happens.
  return { world: { cluster: () => sight, server, askFromCluster }, close: () => pod };
}
