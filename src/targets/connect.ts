// The entrance: from what the user gave to a cluster with Argo CD that a run can act on.

import { PROBES_NAMESPACE } from '../model/settings.ts';
import type { TaskSets } from '../ports/argo-workflows.ts';
import type { AccountUse } from '../ports/argocd-accounts.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClusterAddress, Target } from '../ports/target.ts';
import { argocdApi } from './argocd/api.ts';
import { argocdApplications, argocdImports } from './argocd/applications.ts';
import { connectedToken } from './argocd/connected-token.ts';
import { answeringPrefix, argocdVersion } from './argocd/find.ts';
import { directRoute, directTransport, proxiedRoute, type Route } from './argocd/route.ts';
import { checkToken, may } from './argocd/token-rights.ts';
import { type DestinationWays, places, waysThrough } from './destinations.ts';
import { whoAmI } from './kubernetes/access.ts';
import { type KubernetesApi, kubernetesApi } from './kubernetes/api.ts';
import {
  listApplicationSets,
  listApplications,
  orphanApplicationSet,
} from './kubernetes/applications.ts';
import { argocdProxyPaths } from './kubernetes/argocd-service.ts';
import { Discovery } from './kubernetes/discovery.ts';
import { followObjects } from './kubernetes/follow-objects.ts';
import { kubernetesImports } from './kubernetes/imports.ts';
import { clusterKinds } from './kubernetes/kinds.ts';
import { kubernetesLeases } from './kubernetes/leases.ts';
import { paths } from './kubernetes/paths.ts';
import { kubernetesPlace } from './kubernetes/place.ts';
import { kubernetesProbeJobs, type ProbePlace } from './kubernetes/probe-jobs.ts';
import { kubernetesProjects } from './kubernetes/projects.ts';
import { kubernetesStore, runPath } from './kubernetes/store.ts';
import { kubernetesTaskSets } from './kubernetes/task-sets.ts';
import { type KubernetesPlace, kubernetesTransport } from './kubernetes/transport.ts';
import { watchApplications, watchFor } from './kubernetes/watch.ts';
import { kubernetesWorkflows } from './kubernetes/workflows.ts';
import type { Transport } from './transport.ts';

export interface ConnectOptions extends KubernetesPlace {
  /** Where Argo CD is. */
  readonly namespace: string;
  /** Undefined: through the Kubernetes API. */
  readonly argocdServer?: string | undefined;
  readonly argocdCaFile?: string | undefined;
  /** On the way to `argocdServer`. */
  readonly argocdProxy?: string | undefined;
  /** Below which argocd-server answers, on the way through the Kubernetes API. */
  readonly rootPath?: string | undefined;
  /** Takes any certificate of `argocdServer`, and http. */
  readonly insecure?: boolean | undefined;
  /** Undefined: the Secret in the cluster that is for this use. */
  readonly argocdTokenFile?: string | undefined;
  /** Undefined: deploy, whose account had all rights before there were others. */
  readonly use?: AccountUse | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  /** Told when a read has no answer for some time; `reason`: the last failure, if there is one. */
  readonly onSlow?: ((reason: string | undefined) => void) | undefined;
  /** Contexts of other clusters, by the server or name that Applications give as their destination. */
  readonly contexts?: ReadonlyMap<string, string>;
  /** Of the Jobs of probes. */
  readonly probes?: ProbePlace | undefined;
  /** Told of what works, but is not safe. */
  readonly warn?: (message: string) => void;
}

/** Where no image is started anyway. */
const PROBES: ProbePlace = { namespace: PROBES_NAMESPACE, image: 'tiphys-executor' };

/** While connecting, an address that does not answer is more likely wrong than down. */
const FIRST = { budget: 10_000, deadline: 5_000 };

export async function connect(options: ConnectOptions): Promise<Target> {
  const { clock, argocdServer, argocdCaFile: caFile, argocdProxy: proxy } = options;
  const { insecure = false } = options;
  const { transport: kubernetes, unsafe, address } = await kubernetesTransport(options, clock);
  if (unsafe !== undefined) options.warn?.(unsafe);
  const argocd =
    argocdServer === undefined
      ? undefined
      : await directTransport({ server: argocdServer, caFile, insecure, proxy }, clock);
  const { contexts = new Map(), warn = () => {} } = options;
  const destinations = waysThrough(contexts, options, clock, warn);
  const oneNotice = new OneNotice(options.onSlow);
  const over = { ...options, onSlow: oneNotice.onSlow };
  const connecting = connectOver({ kubernetes, argocd, destinations, address }, over);
  const say = () => warn(`no answer from ${address.server} yet; still trying`);
  return await sayingSoon(connecting, clock, () => oneNotice.say(say)).finally(oneNotice.end);
}

/** Until it is connected, one line says that it takes long: the first request and the connection itself are late together. */
class OneNotice {
  readonly #onSlow: ConnectOptions['onSlow'];
  #isSaid = false;
  #isOver = false;

  constructor(onSlow: ConnectOptions['onSlow']) {
    this.#onSlow = onSlow;
  }

  readonly say = (say: () => void): void => {
    if (this.#isSaid) return;
    this.#isSaid = true;
    say();
  };

  readonly onSlow = (reason: string | undefined): void => {
    const tell = () => this.#onSlow?.(reason);
    // Without a reason it may not be said.
    if (this.#isOver || reason === undefined) tell();
    else this.say(tell);
  };

  readonly end = (): void => {
    this.#isOver = true;
  };
}

/** A terminal must not be silent for longer. */
const SILENT_MS = 2_500;

async function sayingSoon<T>(task: Promise<T>, clock: Clock, say: () => void): Promise<T> {
  const over = new AbortController();
  void clock.sleep(SILENT_MS, over.signal).then(() => {
    if (!over.signal.aborted) say();
  });
  try {
    return await task;
  } finally {
    over.abort();
  }
}

/** Without Argo CD. */
export async function connectToTaskSets(
  options: KubernetesPlace & Pick<ConnectOptions, 'clock' | 'random'>,
): Promise<TaskSets> {
  const { clock, random } = options;
  const { transport } = await kubernetesTransport(options, clock);
  return kubernetesTaskSets(kubernetesApi(transport, { clock, random }));
}

/** Without Argo CD: what there is to say of a cluster that may have none. */
export async function connectToPlace(
  options: KubernetesPlace & Pick<ConnectOptions, 'clock' | 'random' | 'namespace'>,
): Promise<Pick<Target, 'address' | 'namespace' | 'store' | 'whoAmI'>> {
  const { clock, random, namespace } = options;
  const { transport, address } = await kubernetesTransport(options, clock);
  const api = kubernetesApi(transport, { clock, random });
  const store = kubernetesStore(api, namespace);
  return { address, namespace, store, whoAmI: (withinMs) => whoAmI(api, withinMs) };
}

export interface Transports {
  readonly kubernetes: Transport;
  /** Straight to argocd-server; undefined: through Kubernetes. */
  readonly argocd: Transport | undefined;
  readonly destinations?: DestinationWays;
  readonly address?: ClusterAddress;
}

/** The same over transports of any kind. */
export async function connectOver(
  transports: Transports,
  options: Pick<
    ConnectOptions,
    'namespace' | 'rootPath' | 'argocdTokenFile' | 'use' | 'clock' | 'random' | 'probes' | 'onSlow'
  >,
): Promise<Target> {
  const { namespace, argocdTokenFile, use = 'deploy', probes = PROBES } = options;
  const { clock, random, onSlow } = options;
  const world = { clock, random, onSlow };
  const kubernetes = kubernetesApi(transports.kubernetes, world);
  const route = await routeOf(transports, kubernetes, options);
  const token = connectedToken(kubernetes, { namespace, argocdTokenFile, use });
  const argocd = argocdApi(route, token.tokens, world);
  await checkToken(argocd, token.tokens, FIRST, token.secret);
  const discovery = new Discovery(kubernetes);
  const own = kubernetesPlace(kubernetes, discovery);
  return {
    ...own,
    ...places(transports.destinations ?? new Map(), own, world, FIRST),
    address: transports.address,
    namespace,
    applications: {
      ...argocdApplications(argocd, namespace),
      list: (namespaces, unreadable) => listApplications(kubernetes, namespaces, unreadable),
    },
    projects: kubernetesProjects(kubernetes, namespace),
    leases: kubernetesLeases(kubernetes, namespace),
    store: kubernetesStore(kubernetes, namespace),
    applicationSets: {
      list: (namespaces) => listApplicationSets(kubernetes, namespaces),
      orphan: (set) => orphanApplicationSet(kubernetes, set),
    },
    watches: {
      applications: async (namespaces, signal) => ({
        ...(await watchApplications(kubernetes, namespaces, signal)),
        follow: followObjects(kubernetes, discovery),
      }),
      projects: (changed, signal) =>
        watchFor(kubernetes, paths.appProjects(namespace), changed, signal),
      run: (run, changed, signal) => watchFor(kubernetes, runPath(namespace, run), changed, signal),
    },
    rights: {
      ...own.rights,
      inArgocd: (resource, verb, object) => may(argocd, { resource, verb, object }),
      tokenHolder: token.holder,
    },
    workflows: kubernetesWorkflows(kubernetes),
    probes: kubernetesProbeJobs(kubernetes, probes),
    kinds: clusterKinds(kubernetes, namespace),
    imports: { ...kubernetesImports(kubernetes), ...argocdImports(argocd, namespace) },
    argocdVersion: () => argocdVersion(route, world),
    tokenLives: token.lives,
    tokenRenewals: token.renewals(argocd, route),
    whoAmI: (withinMs) => whoAmI(kubernetes, withinMs),
  };
}

async function routeOf(
  transports: Transports,
  kubernetes: KubernetesApi,
  { namespace, rootPath = '' }: Pick<ConnectOptions, 'namespace' | 'rootPath'>,
): Promise<Route> {
  if (transports.argocd) return directRoute(transports.argocd);
  const prefixes = await argocdProxyPaths(kubernetes, namespace, FIRST);
  const prefix = await answeringPrefix(
    transports.kubernetes,
    prefixes.map((prefix) => prefix + rootPath),
    kubernetes.world,
    FIRST.budget,
  );
  return proxiedRoute(transports.kubernetes, prefix);
}
