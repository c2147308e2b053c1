// A whole cluster with Argo CD that exists only here, in its own time.

import type { Account, ServerRequest } from '../simulator/argocd/answers.ts';
import { type Application, asApplication, REFRESH } from '../simulator/argocd/application.ts';
import { applicationSets } from '../simulator/argocd/application-sets.ts';
import type { ControllerSettings } from '../simulator/argocd/control.ts';
import { Controller } from '../simulator/argocd/controller.ts';
import { trackerOf } from '../simulator/argocd/live-cache.ts';
import { Server } from '../simulator/argocd/server.ts';
import { withHealth } from '../simulator/argocd/server-views.ts';
import { type SimulatedVersion, VERSIONS } from '../simulator/argocd/simulated-version.ts';
import { collect } from '../simulator/cluster/collector.ts';
import { History } from '../simulator/cluster/object-history.ts';
import { Objects } from '../simulator/cluster/object-store.ts';
import { failure, NOT_SERVED, placeOf, Rest, type RestAnswer } from '../simulator/cluster/rest.ts';
import { Watch } from '../simulator/cluster/watch-server.ts';
import { Git } from '../simulator/git.ts';
import { Participant } from '../simulator/participant.ts';
import { type Random, seeded } from '../simulator/random.ts';
import type { Endpoint } from '../simulator/simulated-transport.ts';
import { type Pace, VirtualTime } from '../simulator/virtual-time.ts';
import { Workloads } from '../simulator/workload/workloads.ts';
import type { Transport, TransportRequest } from '../targets/transport.ts';
import { controllerSettings } from './argocd-faults.ts';
import type { Fault } from './fault.ts';
import { Faults } from './faults.ts';
import { scheduleFaults } from './scheduled-faults.ts';

export interface RehearsalParts {
  readonly seed: number;
  readonly faults: readonly Fault[];
  readonly pace: Pace;
  /** What the calendar says at the beginning, in milliseconds. */
  readonly start: number;
  /** Argo CD's own. */
  readonly namespace: string;
  /** Mean of the way of a request, in milliseconds. */
  readonly latency?: number;
  readonly settings?: Partial<ControllerSettings>;
  /** Which Argo CD it is; 3.2 unless it is said. */
  readonly argocd?: SimulatedVersion | undefined;
}

interface SimulatedCluster {
  readonly objects: Objects;
  readonly workloads: Workloads;
  readonly rest: Rest;
}

/** A request that was carried out. */
export interface Carried {
  readonly at: number;
  readonly who: string;
  /** The cluster, as destinations call it; '' is the one of Argo CD. */
  readonly cluster: string;
  readonly request: TransportRequest;
  readonly answer: RestAnswer;
}

/** How far an API server lags behind that has lost its way. */
const STALE_SECONDS = 10;

const PROXY = /^\/api\/v1\/namespaces\/[^/]+\/services\/[^/]+\/proxy(\/.*)$/;

export class Rehearsal {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly objects: Objects;
  readonly history: History;
  readonly git = new Git();
  readonly faults: Faults;
  readonly controller: Controller;
  readonly workloads: Workloads;
  readonly server: Server;
  readonly namespace: string;
  /** Tokens that Argo CD takes, and who they are. */
  readonly accounts = new Map<string, Account>();
  /** What Kubernetes does not allow any more, as in `patch appprojects`. */
  readonly denied = new Set<string>();
  readonly watches = new Set<Watch>();
  settings: ControllerSettings;
  readonly #rest: Rest;
  /** Clusters that Argo CD does not run in, by the server or name that destinations give. */
  readonly #clusters = new Map<string, SimulatedCluster>();
  readonly #latency: number;
  readonly #carried: ((carried: Carried) => void)[] = [];

  constructor(parts: RehearsalParts) {
    this.random = seeded(parts.seed);
    this.time = new VirtualTime(parts.pace, parts.start);
    this.namespace = parts.namespace;
    this.#latency = parts.latency ?? 5;
    this.objects = new Objects(this.random.named('uids'), () => this.time.calendar);
    this.history = new History(this.objects, () => this.time.now);
    const seconds = () => this.time.now / 1000;
    this.faults = new Faults(parts.faults, this.random.named('faults'), seconds);
    const reader = this.history.reader(() => this.#lag());
    this.#rest = new Rest(this.objects, this.history, reader, this.denied);
    this.settings = {
      ...controllerSettings(this.random.named('argocd'), this.faults),
      version: VERSIONS[parts.argocd ?? '3.2'],
      ...parts.settings,
    };
    this.controller = new Controller({
      cluster: (called) => this.cluster(called),
      ...{ time: this.time, objects: this.objects, git: this.git, namespace: parts.namespace },
      random: this.random.named('controller'),
      settings: () => this.settings,
    });
    this.workloads = this.#inhabit(this.objects, this.random.named('workloads'));
    this.server = new Server({
      controller: this.controller,
      reader,
      accountOf: (token) => this.accounts.get(token ?? ''),
    });
    applicationSets(this.time, this.objects);
    scheduleFaults(this);
  }

  /** What is in a cluster that Argo CD does not run in. It comes into being when it is first asked for. */
  cluster(called: string): Objects {
    const known = this.#clusters.get(called);
    if (known) return known.objects;
    const random = this.random.named(`cluster ${called}`);
    const objects = new Objects(random, () => this.time.calendar);
    const workloads = this.#inhabit(objects, random.named('workloads'));
    const history = new History(objects, () => this.time.now);
    this.#clusters.set(called, { objects, workloads, rest: new Rest(objects, history, objects) });
    return objects;
  }

  /** Argo CD's own, and those beside it. */
  get clusters(): ReadonlySet<Omit<SimulatedCluster, 'rest'>> {
    return new Set([this, ...this.#clusters.values()]);
  }

  /** One cluster under another name, too; '' is the one of Argo CD. */
  alias(called: string, cluster: string): void {
    const own = { objects: this.objects, workloads: this.workloads, rest: this.#rest };
    const known = cluster === '' ? own : this.#clusters.get(cluster);
    if (known) this.#clusters.set(called, known);
  }

  /** Controllers of Kubernetes and operators. */
  #inhabit(objects: Objects, paces: Random): Workloads {
    const workloads = new Workloads({
      ...{ time: this.time, objects },
      notice: () => paces.between(20, 150),
      disturbed: (object, steps) => this.faults.steps(trackerOf(object), object, steps),
    });
    collect(this.time, objects);
    return workloads;
  }

  /** Called for each request that was carried out. */
  onRequest(listener: (carried: Carried) => void): void {
    this.#carried.push(listener);
  }

  join(name: string): Participant {
    const latency = this.#way(`way of ${name}`);
    const endpoint: Endpoint = {
      answer: (request) => this.#answer(request),
      watch: (request) => this.#watch(request, latency),
      fate: (request) => this.faults.fate(request, latency),
      done: (request, answer) => this.#tell(name, '', request, answer),
    };
    return new Participant(name, this.time, this.random.named(`chance of ${name}`), endpoint);
  }

  /** The way of a participant to a cluster that Argo CD does not run in, as a context of its kubeconfig would be. */
  reach(participant: Participant, called: string): Transport {
    const objects = this.cluster(called);
    for (const one of [this.objects, objects]) identify(one);
    const latency = this.#way(`way of ${participant.name} to ${called}`);
    return participant.to({
      answer: ({ path: given, method, body }) => {
        const { path, query } = split(given);
        const rest = this.#clusters.get(called)?.rest;
        return rest?.handle({ method, path, query, body: copy(body) }) ?? NOT_SERVED;
      },
      watch: () => NOT_SERVED,
      fate: (request) => this.faults.fate(request, latency),
      done: (request, answer) => this.#tell(participant.name, called, request, answer),
    });
  }

  #way(name: string): () => number {
    const ways = this.random.named(name);
    return () => ways.between(0.2, 1.8) * this.#latency;
  }

  #tell(who: string, cluster: string, request: TransportRequest, answer: RestAnswer): void {
    const carried = { at: this.time.now, who, cluster, request, answer };
    for (const listener of this.#carried) listener(carried);
  }

  #answer(request: TransportRequest): RestAnswer | Promise<RestAnswer> {
    const { path, query } = split(request.path);
    const { method, body } = request;
    const proxied = PROXY.exec(path)?.[1];
    if (proxied === undefined) return this.#rest.handle({ method, path, query, body: copy(body) });
    const asked = { method, path: proxied, query, body: copy(body), token: tokenOf(request) };
    return this.#argocd(asked);
  }

  /** A refresh is answered when the comparison is over. */
  async #argocd(asked: ServerRequest): Promise<RestAnswer> {
    if (this.faults.strikes('argocd', 'server-down')) {
      return failure(
        503,
        'ServiceUnavailable',
        'no endpoints available for service "http:argocd-server:80"',
      );
    }
    const marked = this.server.askRefresh(asked);
    if (!marked) return this.server.handle(asked);
    const after = await this.#refreshed(marked);
    if (!after) return this.server.handle(asked);
    return { status: 200, text: JSON.stringify(withHealth(after, this.controller.managed(after))) };
  }

  #refreshed(marked: Application): Promise<Application | undefined> {
    return new Promise((resolve) => {
      const end = this.history.onChange('argoproj.io/Application', ({ object }) => {
        if (object.metadata.name !== marked.metadata.name) return;
        const now = this.objects.current(marked);
        if (now?.metadata.annotations?.[REFRESH] !== undefined) return;
        end();
        resolve(now && asApplication(now));
      });
    });
  }

  /** Undefined: nothing lags behind. Otherwise the moment that is shown. */
  #lag(): number | undefined {
    const stale = this.faults.strikes('api', 'stale');
    return stale && this.time.now - (stale.by ?? STALE_SECONDS) * 1000;
  }

  #watch(request: TransportRequest, latency: () => number): Watch | RestAnswer {
    const { path, query } = split(request.path);
    const place = placeOf(path, this.objects.kinds);
    if (!place) return NOT_SERVED;
    if (this.faults.strikes('watch', 'refused'))
      return failure(503, 'ServiceUnavailable', 'refused');
    const { time, objects, history } = this;
    const watch = new Watch({
      time,
      objects,
      history,
      place,
      query,
      delay: () => latency() + (this.faults.strikes('watch', 'late')?.by ?? 0) * 1000,
      onTheWay: (line) => {
        if (this.faults.strikes('watch', 'loses')) return [];
        return this.faults.strikes('watch', 'repeats') ? [line, line] : [line];
      },
    });
    this.watches.add(watch);
    return watch;
  }
}

/** A cluster is known by the uid of this Namespace. */
function identify(objects: Objects): void {
  if (objects.get('v1', 'Namespace', undefined, 'kube-system')) return;
  objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
}

/** The simulation keeps no object that its caller may still change. */
function copy(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body));
}

function split(given: string): { path: string; query: URLSearchParams } {
  const at = given.indexOf('?');
  if (at === -1) return { path: given, query: new URLSearchParams() };
  return { path: given.slice(0, at), query: new URLSearchParams(given.slice(at + 1)) };
}

function tokenOf({ headers = {} }: TransportRequest): string | undefined {
  const cookie = /argocd\.token=([^;]+)/.exec(headers.cookie ?? '')?.[1];
  return cookie ?? /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}
