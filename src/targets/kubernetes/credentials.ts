// Address and credentials of the cluster, as they are now: token files and plugins are asked again after half a minute,
// and everything is read anew when the cluster did not accept them.
import type { RequestOptions } from 'node:https';
import type { Clock } from '../../ports/clock.ts';
import type { Access } from '../http/http-transport.ts';
import { invalid, type Kubeconfig, type KubeconfigChoice, loadKubeconfig } from './kubeconfig.ts';

export interface Credentials {
  readonly access: () => Promise<Access>;
  /** What was read so far is not accepted any more. */
  readonly renew: () => void;
  /** Why others may listen or answer in the cluster's place; undefined: nobody can. */
  readonly unsafe: string | undefined;
}

/** Token files and plugins are asked again after so long. The kubelet replaces a token long before it expires. */
const FRESH = 30_000;

/** One reading for all requests that wait for it; a failure is not kept. */
export function keptAccess(read: () => Promise<Access>, clock: Clock) {
  let current: { readonly until: number; readonly access: Promise<Access> } | undefined;
  const access = (): Promise<Access> => {
    if (current && clock.monotonic() < current.until) return current.access;
    const entry = { until: clock.monotonic() + FRESH, access: read() };
    current = entry;
    entry.access.catch(() => {
      if (current === entry) current = undefined;
    });
    return entry.access;
  };
  const forget = () => {
    current = undefined;
  };
  return { access, forget };
}

export async function kubernetesCredentials(
  choice: KubeconfigChoice,
  clock: Clock,
): Promise<Credentials> {
  const first = await loadKubeconfig(choice);
  let kubeconfig = Promise.resolve(first);
  const { access, forget } = keptAccess(() => kubeconfig.then(accessOf), clock);
  const renew = () => {
    forget();
    kubeconfig = loadKubeconfig(choice);
    // Whoever asks next sees the failure; nobody asking is no crash.
    kubeconfig.catch(() => undefined);
  };
  return { access, renew, unsafe: unsafeOf(first) };
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function unsafeOf({ cluster: { name, server, skipTLSVerify } }: Kubeconfig): string | undefined {
  if (server.startsWith('http:')) {
    // Such as `kubectl proxy`: it does not leave this machine.
    if (LOOPBACK.has(URL.parse(server)?.hostname ?? '')) return undefined;
    return `the kubeconfig reaches the cluster "${name}" without TLS: credentials go in clear text`;
  }
  return skipTLSVerify
    ? `the kubeconfig does not verify the certificate of cluster "${name}" (insecure-skip-tls-verify): credentials can be intercepted`
    : undefined;
}

async function accessOf({ config, cluster }: Kubeconfig): Promise<Access> {
  const options: RequestOptions = { headers: {} };
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    throw invalid(reasonOf(error), 'Check that kubectl works with the same kubeconfig.');
  }
  return {
    server: cluster.server,
    headers: headersOf(options),
    tls: {
      ca: pem(options.ca),
      cert: pem(options.cert),
      key: pem(options.key),
      passphrase: options.passphrase,
      serverName: options.servername,
      insecure: options.rejectUnauthorized === false,
    },
    proxy: cluster.proxyUrl,
  };
}

function headersOf({ headers, auth }: RequestOptions): Record<string, string> {
  // A token file ends with a line end, which no header may.
  const given = Object.entries(headers ?? {}).map(([key, value]) => [key, String(value).trim()]);
  const basic = auth && { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  return { ...Object.fromEntries(given), ...basic };
}

function pem(value: RequestOptions['ca' | 'key']): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** A parser's message quotes what it could not parse, and a plugin prints tokens. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'The credential plugin did not answer with JSON.';
  const reason = error instanceof Error ? error.message.trim() : String(error);
  return `The credentials of the kubeconfig cannot be had: ${reason || 'the plugin failed'}.`;
}
