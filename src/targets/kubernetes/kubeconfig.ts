// The kubeconfig, read by the official client, which also knows plugins, certificates and the place inside of a cluster.
// It is large, so it is loaded when it is needed, and used for nothing else.
import { dirname, isAbsolute, join } from 'node:path';
import type { Cluster, KubeConfig } from '@kubernetes/client-node';
import { dump, load } from 'js-yaml';
import { TiphysError } from '../../errors.ts';

export interface KubeconfigChoice {
  /** The file; undefined: as kubectl finds it, else the place inside of a cluster. */
  readonly kubeconfig: string | undefined;
  /** The text of it, where there is no file. */
  readonly text?: string | undefined;
  readonly context: string | undefined;
}

export interface Kubeconfig {
  readonly config: KubeConfig;
  readonly cluster: Cluster;
}

export async function loadKubeconfig(choice: KubeconfigChoice): Promise<Kubeconfig> {
  const config = await readConfig(choice);
  if (choice.context !== undefined) config.setCurrentContext(choice.context);
  const name = config.getCurrentContext();
  if (!config.getContextObject(name)) {
    const known = config.getContexts().map((context) => context.name);
    const message = name ? `The kubeconfig has no context "${name}".` : 'No context is chosen.';
    throw invalid(message, `Choose one with --context: ${known.join(', ') || 'there is none'}.`);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) throw invalid(`The context "${name}" names a cluster that is not there.`, CHECK);
  if (!config.getCurrentUser()) {
    throw invalid(`The context "${name}" names a user that is not there.`, CHECK);
  }
  if (cluster.proxyUrl?.startsWith('socks')) {
    throw invalid('SOCKS proxies are not supported.', 'Use an HTTP proxy as proxy-url.');
  }
  return { config, cluster: plainHttp(config, cluster) };
}

/** The client refuses http:// unless TLS is not verified, though there is none. kubectl does not. */
function plainHttp(config: KubeConfig, cluster: Cluster): Cluster {
  if (!cluster.server.startsWith('http:')) return cluster;
  const opened = { ...cluster, skipTLSVerify: true };
  config.clusters = config.clusters.map((one) => (one.name === cluster.name ? opened : one));
  return opened;
}

const CHECK = 'Check that kubectl works with the same kubeconfig and context.';
const NOWHERE = 'http://localhost:8080';

async function readConfig({ kubeconfig, text }: KubeconfigChoice): Promise<KubeConfig> {
  const config = await emptyConfig();
  try {
    if (kubeconfig !== undefined) config.loadFromFile(kubeconfig);
    else if (text !== undefined) config.loadFromString(text);
    else config.loadFromDefault();
  } catch (error) {
    throw error instanceof TiphysError ? error : invalid(unreadable(error), CHECK);
  }
  // What the client falls back to when it finds nothing at all.
  if (
    config.getCurrentCluster()?.server === NOWHERE &&
    config.getCurrentContext() === 'loaded-context'
  ) {
    const hint = 'Set KUBECONFIG, or write ~/.kube/config.';
    throw invalid('There is no kubeconfig, and this is not inside of a cluster.', hint);
  }
  return config;
}

/** The client does not know kubectl's `tokenFile`, and reads `token-file` only once. Both become what it re-reads. */
async function emptyConfig(): Promise<KubeConfig> {
  const { KubeConfig: Base } = await import('@kubernetes/client-node');
  class WithTokenFiles extends Base {
    override loadFromFile(file: string, options?: Parameters<KubeConfig['loadFromFile']>[1]) {
      this.#folder = dirname(file);
      super.loadFromFile(file, options);
    }
    override loadFromString(text: string, options?: Parameters<KubeConfig['loadFromString']>[1]) {
      super.loadFromString(withTokenFiles(text, this.#folder), options);
    }
    #folder = '.';
  }
  return new WithTokenFiles();
}

interface RawUser {
  user?: Record<string, unknown> | null;
}

function withTokenFiles(text: string, folder: string): string {
  const document = parse(text);
  for (const entry of document.users ?? []) {
    const { tokenFile, 'token-file': other, ...rest } = entry.user ?? {};
    const file = tokenFile ?? other;
    if (typeof file !== 'string' || rest.token) continue;
    const path = isAbsolute(file) ? file : join(folder, file);
    entry.user = { ...rest, 'auth-provider': { name: 'tokenFile', config: { tokenFile: path } } };
  }
  return dump(document);
}

function parse(text: string): { users?: RawUser[] } {
  try {
    const document = load(text);
    if (typeof document === 'object' && document !== null) return document;
  } catch {
    // The parser's message shows the lines around, which may hold a token.
  }
  throw invalid('The kubeconfig is empty or not YAML.', CHECK);
}

function unreadable(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The kubeconfig cannot be used: ${reason}.`;
}

export function invalid(message: string, hint: string, options?: ErrorOptions): TiphysError {
  return new TiphysError([{ code: 'kubeconfig-invalid', message, hint }], options);
}
