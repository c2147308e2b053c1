// The kubeconfig as kubectl reads it: which files, how several become one, and what the chosen context names.
import { access, readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { TiphysError } from '../../errors.ts';
import {
  CHECK,
  type ClusterEntry,
  invalid,
  type KubeconfigFile,
  parseKubeconfig,
  type UserEntry,
} from './kubeconfig-file.ts';

export interface KubeconfigChoice {
  /** The file; undefined: as kubectl finds it. */
  readonly kubeconfig: string | undefined;
  /** The text of it, where there is no file. */
  readonly text?: string | undefined;
  readonly context: string | undefined;
  readonly environment: (name: string) => string | undefined;
}

export interface Kubeconfig {
  readonly context: string;
  readonly cluster: ClusterEntry & { readonly name: string; readonly server: string };
  readonly user: UserEntry;
}

export async function loadKubeconfig(choice: KubeconfigChoice): Promise<Kubeconfig> {
  const config = merged(await readFiles(choice));
  const name = choice.context ?? config['current-context'];
  const context = config.contexts.find((one) => one.name === name)?.context;
  if (name === undefined || !context) {
    const known = config.contexts.map((one) => one.name);
    const message = name
      ? `The kubeconfig has no context "${name}".`
      : 'The kubeconfig has no current context.';
    throw invalid(message, `Choose one with --context: ${known.join(', ') || 'there is none'}.`);
  }
  const cluster = config.clusters.find((one) => one.name === context.cluster);
  if (!cluster) throw invalid(`The context "${name}" names a cluster that does not exist.`, CHECK);
  const user = config.users.find((one) => one.name === context.user);
  if (!user) throw invalid(`The context "${name}" names a user that does not exist.`, CHECK);
  return { context: name, cluster: reachable(cluster.name, cluster.cluster), user: user.user };
}

/** Of all files, as kubectl finds them. */
export async function contextNames(
  choice: Pick<KubeconfigChoice, 'kubeconfig' | 'environment'>,
): Promise<readonly string[]> {
  const files = await readFiles({ ...choice, context: undefined });
  return merged(files).contexts.map(({ name }) => name);
}

function reachable(name: string, cluster: ClusterEntry): Kubeconfig['cluster'] {
  const { server } = cluster;
  if (server === undefined) {
    throw invalid(`The kubeconfig cannot be used: cluster "${name}" has no server.`, CHECK);
  }
  if (!/^https?:\/\//.test(server)) {
    throw invalid(`The server of cluster "${name}" is not an http or https address.`, CHECK);
  }
  if (cluster['proxy-url']?.startsWith('socks')) {
    throw invalid('SOCKS proxies are not supported.', 'Use an HTTP proxy as proxy-url.');
  }
  return { ...cluster, name, server: server.endsWith('/') ? server.slice(0, -1) : server };
}

/** Of what several files have, the first one counts. */
function merged(files: readonly KubeconfigFile[]): KubeconfigFile {
  return {
    'current-context': files.find((one) => one['current-context'])?.['current-context'],
    contexts: files.flatMap(({ contexts }) => contexts),
    clusters: files.flatMap(({ clusters }) => clusters),
    users: files.flatMap(({ users }) => users),
  };
}

const PASS = 'Pass --kubeconfig FILE, set KUBECONFIG, or create ~/.kube/config.';

async function readFiles({ kubeconfig, text, environment }: KubeconfigChoice) {
  if (kubeconfig !== undefined) return [await readOne(kubeconfig)];
  if (text !== undefined) return [parseKubeconfig(text, '.')];
  const found = await foundKubeconfigs(environment);
  if (found.length > 0) return await Promise.all(found.map(readOne));
  const listed = environment('KUBECONFIG');
  throw invalid(
    listed
      ? `The kubeconfig does not exist: KUBECONFIG is ${listed}.`
      : 'There is no kubeconfig, and this process does not run in a cluster.',
    listed ? PASS : `${PASS} To try without a cluster, run \`tiphys rehearse serve\`.`,
  );
}

/** Those that are there of what kubectl looks for: files of KUBECONFIG, else ~/.kube/config. */
export async function foundKubeconfigs(
  environment: KubeconfigChoice['environment'],
): Promise<readonly string[]> {
  const listed = environment('KUBECONFIG');
  const home = environment('HOME') || environment('USERPROFILE');
  const files = listed ? listed.split(delimiter) : home ? [join(home, '.kube', 'config')] : [];
  const there = await Promise.all(files.map((path) => path !== '' && isThere(path)));
  return files.filter((_, index) => there[index]);
}

/** One that cannot be read for another reason is there: reading it tells why. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  );

async function readOne(path: string): Promise<KubeconfigFile> {
  try {
    return parseKubeconfig(await readFile(path, 'utf8'), dirname(path));
  } catch (error) {
    if (error instanceof TiphysError) throw error;
    throw invalid(`The kubeconfig cannot be used: ${(error as Error).message}.`, CHECK);
  }
}
