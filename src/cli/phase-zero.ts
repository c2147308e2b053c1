// Phase 0 as commands use it: from files and options to the report on all prerequisites. Writes nothing.
import { join } from 'node:path';
import type { EnvironmentFile } from '../model/environment-file.ts';
import { checkPrerequisites, prerequisitesFor } from '../preflight/check.ts';
import type { PreflightReport } from '../preflight/report.ts';
import type { Surroundings } from '../preflight/surroundings.ts';
import { IMAGE_SOURCES, type Wanted } from '../preflight/wanted.ts';
import type { ConnectionOptions } from './connection.ts';
import type { Io } from './io.ts';
import { planFor } from './planning.ts';
import { type FileOptions, readSource } from './source.ts';

export interface PhaseZeroOptions
  extends FileOptions,
    Pick<ConnectionOptions, 'kubeconfig' | 'context'> {
  /** A folder with charts, where they are not fetched. */
  readonly charts?: string;
  /** A folder with files of credentials. */
  readonly secrets?: string;
  /** Registries, instead of the usual ones. */
  readonly imageSource?: readonly string[];
}

/** What is asked, asked; the files themselves must be right, or it throws. */
export async function phaseZero(io: Io, options: PhaseZeroOptions): Promise<PreflightReport> {
  const wanted = await wantedBy(io, options);
  const ended = new AbortController();
  const { world, close } = await surroundingsOf(io, options, ended.signal);
  try {
    return await checkPrerequisites(prerequisitesFor(wanted), world, io.clock);
  } finally {
    // What is late is not waited for, and must not keep the process.
    ended.abort();
    await close();
  }
}

async function wantedBy(io: Io, options: PhaseZeroOptions): Promise<Wanted> {
  const { compiled, sources } = await planFor(io, 'deploy', options);
  const { argocdNamespace, workflowsNamespace, stacks } = compiled.platform;
  const [{ parseFile }, { environmentFile }] = await Promise.all([
    import('../model/validate.ts'),
    import('../model/environment-file.ts'),
  ]);
  const [, source] = sources;
  const environment: EnvironmentFile | undefined = source && parseFile(source, environmentFile);
  return {
    ...{ argocdNamespace, workflowsNamespace, charts: options.charts },
    names: stacks.flatMap(({ name, applications }) => [
      name,
      ...applications.map((application) => application.name),
    ]),
    gitRepository: environment?.gitRepository,
    images: options.imageSource ?? IMAGE_SOURCES,
  };
}

/** A program that only prints its version needs no longer. */
const PROGRAM_MS = 15_000;

async function surroundingsOf(io: Io, options: PhaseZeroOptions, signal: AbortSignal) {
  const [{ outside }, { clusterSight }, { kubernetesTransport }] = await Promise.all([
    import('../targets/http/outside.ts'),
    import('../targets/kubernetes/cluster-sight.ts'),
    import('../targets/kubernetes/transport.ts'),
  ]);
  const { clock, random, kubeconfigText, inCluster } = io;
  const variable = (name: string) => io.environment(name.toLowerCase()) || io.environment(name);
  const proxies = {
    ...{ http: variable('HTTP_PROXY'), https: variable('HTTPS_PROXY'), no: variable('NO_PROXY') },
  };
  const { request, connect, close } = outside(proxies, clock, signal);
  const { kubeconfig, context } = options;
  const reached = kubernetesTransport({ kubeconfig, context, kubeconfigText, inCluster }, clock);
  // Each row that needs it says so; a failure that nobody asks for is no crash.
  reached.catch(() => undefined);
  const sight = reached.then(({ transport }) => clusterSight(transport, { clock, random }, signal));
  sight.catch(() => undefined);
  const runs = new Map<string, ReturnType<Surroundings['run']>>();
  const world: Surroundings = {
    ...{ request, connect, exists: io.exists },
    run: (program, ...args) => {
      const key = JSON.stringify([program, args]);
      const run = runs.get(key) ?? io.runProgram({ program, args, timeoutMs: PROGRAM_MS, signal });
      runs.set(key, run);
      return run;
    },
    cluster: () => sight,
    server: async () => (await reached).server(),
    list: (folder) => (io.exists(folder) ? io.listFolder(folder).map(({ name }) => name) : []),
    secret: (name) => {
      const path = options.secrets === undefined ? undefined : join(options.secrets, name);
      return path !== undefined && io.exists(path) ? readSource(io, path, '').text : undefined;
    },
  };
  return { world, close };
}
