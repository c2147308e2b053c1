// Address and credentials of the cluster, as they are now: token files and plugins are asked again after half a minute,
// and everything is read anew when the cluster did not accept them.
import type { Clock } from '../../ports/clock.ts';
import type { ClusterAddress } from '../../ports/target.ts';
import type { Access } from '../http/http-transport.ts';
import { pluginOf, type RunProgram } from './exec-plugin.ts';
import { type Kubeconfig, type KubeconfigChoice, loadKubeconfig } from './kubeconfig.ts';
import { invalid } from './kubeconfig-file.ts';
import { userAccess } from './user-access.ts';

export interface Credentials {
  readonly access: () => Promise<Access>;
  /** What was read so far is not accepted any more. */
  readonly renew: () => void;
  /** Why others may listen or answer in the cluster's place; undefined: they cannot. */
  readonly unsafe: string | undefined;
  readonly address: ClusterAddress;
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
  choice: KubeconfigChoice & { readonly runProgram: RunProgram },
  clock: Clock,
): Promise<Credentials> {
  const history = { hasWorked: false };
  const load = async (from: KubeconfigChoice) => {
    const kubeconfig = await loadKubeconfig(from);
    const { cluster, user } = kubeconfig;
    const plugin = user.exec && pluginOf(user.exec, cluster, choice.runProgram, clock, history);
    return { kubeconfig, read: () => userAccess(kubeconfig, plugin ?? undefined, clock) };
  };
  const first = await load(choice);
  const { context } = first.kubeconfig;
  let good = first;
  // A file that is just being written says nothing: the former stays in use until one can be loaded.
  const loadAgain = async () => {
    const next = await load({ ...choice, context }).catch(() => good);
    refuseOtherCluster(first.kubeconfig, next.kubeconfig);
    good = next;
    return next;
  };
  let loaded = Promise.resolve(first);
  const { access, forget } = keptAccess(async () => (await loaded).read(), clock);
  const renew = () => {
    forget();
    const next = loadAgain();
    loaded = next;
    // The request that waits for it sees the failure; those after it go to the cluster of the first load.
    next.catch(() => {
      if (loaded === next) loaded = Promise.resolve(good);
    });
  };
  return {
    access,
    renew,
    unsafe: unsafeOf(first.kubeconfig),
    address: addressOf(first.kubeconfig),
  };
}

/** A name and a password in the address are not shown. */
function addressOf({ context, cluster }: Kubeconfig): ClusterAddress {
  const url = URL.parse(cluster.server);
  if (!url?.username && !url?.password) return { context, server: cluster.server };
  return { context, server: `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}` };
}

const PINNED = [
  ...(['server', 'certificate-authority', 'certificate-authority-data'] as const),
  ...(['tls-server-name', 'insecure-skip-tls-verify'] as const),
];

/** What was asked of one cluster is never sent to another. */
function refuseOtherCluster(first: Kubeconfig, next: Kubeconfig): void {
  const changed = PINNED.filter((key) => first.cluster[key] !== next.cluster[key]);
  if (changed.length === 0) return;
  throw invalid(
    `The kubeconfig has changed since the start: the context "${first.context}" has another ${changed.join(', ')}.`,
    'Revert the change, or start again to use the cluster that the kubeconfig names now.',
  );
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function unsafeOf({ cluster }: Kubeconfig): string | undefined {
  const { name, server } = cluster;
  if (server.startsWith('http:')) {
    // Such as `kubectl proxy`: it does not leave this machine.
    if (LOOPBACK.has(URL.parse(server)?.hostname ?? '')) return undefined;
    return `the kubeconfig reaches the cluster "${name}" without TLS: credentials are sent in clear text`;
  }
  return cluster['insecure-skip-tls-verify']
    ? `the kubeconfig does not verify the certificate of cluster "${name}" (insecure-skip-tls-verify): credentials can be intercepted`
    : undefined;
}
