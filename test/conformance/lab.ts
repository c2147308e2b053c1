// What a case works with: a world, and the few verbs that make cases short. All waiting goes by the world's clock.
import type { Target } from '../../src/ports/target.ts';
import { TransportFailure } from '../../src/targets/transport.ts';
import { type Answer, answer, expectOk, type Json, merge } from './answer.ts';
import type { App } from './app.ts';
import type { Manifest, World } from './argocd-world.ts';
import { isNamespaced, pathOf } from './paths.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Query = Readonly<Record<string, string>>;
export interface AppOptions {
  readonly folder?: string;
  readonly automated?: Readonly<Record<string, unknown>>;
  readonly syncPolicy?: Readonly<Record<string, unknown>>;
  readonly finalizers?: readonly string[];
  readonly namespace?: string;
  readonly spec?: Readonly<Record<string, unknown>>;
}

const DEADLINE = 20_000;
const PATIENCE = 90;
const PAUSE = 200;
const REMINDER = 10_000;
/** Seconds. Longer than Argo CD's own round, in which its controller sees what it has overlooked. */
export const ROUND = 240;
export const IN_CLUSTER = 'https://kubernetes.default.svc';
export const APPLICATION = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' } as const;
const PROJECT = { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' } as const;
export const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

export class Lab {
  readonly world: World;
  readonly #pause: number;
  readonly #patience: number;

  /** `pause`: milliseconds between two looks at what is waited for. `patience`: seconds until that was in vain. */
  constructor(world: World, pause = PAUSE, patience = PATIENCE) {
    this.world = world;
    this.#pause = pause;
    this.#patience = patience;
  }

  /** The AppProject and the namespace of this case; both exist. */
  get project(): string {
    return this.world.id;
  }

  get namespace(): string {
    return this.world.id;
  }

  get target(): Target {
    return this.world.target;
  }

  name(suffix: string): string {
    return `${this.world.id}-${suffix}`;
  }

  async kube(method: Method, path: string, body?: unknown): Promise<Answer> {
    const { kubernetes } = this.world;
    return answer(await kubernetes.send({ method, path, body, deadline: DEADLINE }));
  }

  /** Below /api/v1. */
  async argo(method: Method, path: string, body?: unknown, token?: string): Promise<Answer> {
    const { argocd, tokens } = this.world;
    const request = { method, path: `/api/v1${path}`, body, deadline: DEADLINE };
    return answer(await argocd(token ?? tokens.tiphys).send(request));
  }

  /** About one Application, with its project, as Tiphys asks. */
  about(method: Method, name: string, below = '', query: Query = {}, body?: unknown) {
    const all = new URLSearchParams({ project: this.project, ...query });
    return this.argo(method, `/applications/${name}${below}?${all}`, body);
  }

  /** Asks until it is neither undefined nor false. */
  async until<T>(
    what: string,
    ask: () => Promise<T | undefined | false>,
    seconds = this.#patience,
  ): Promise<T> {
    const { clock } = this.world;
    const end = clock.monotonic() + seconds * 1000;
    for (;;) {
      const found = await ask();
      if (found !== undefined && found !== false) return found;
      if (clock.monotonic() > end) throw new Error(`waited ${seconds} s in vain for ${what}`);
      await clock.sleep(this.#pause);
    }
  }

  /** The clock has a later second than before: what carries whole seconds can be told apart. */
  async nextSecond(): Promise<void> {
    await this.world.clock.sleep(1100);
  }

  /** An Application of a folder of its own, with these manifests in it. Returns its name. */
  async app(suffix: string, manifests: readonly Manifest[], options: AppOptions = {}) {
    const folder = options.folder ?? suffix;
    await this.world.commit(folder, manifests);
    await this.apply(this.manifestOf(suffix, { ...options, folder }));
    return this.name(suffix);
  }

  manifestOf(suffix: string, options: AppOptions = {}): Manifest {
    const { folder = suffix, automated, syncPolicy, finalizers, namespace, spec } = options;
    const policy = { ...syncPolicy, ...(automated ? { automated } : {}) };
    return {
      ...APPLICATION,
      metadata: {
        name: this.name(suffix),
        namespace: this.world.argocdNamespace,
        ...(finalizers ? { finalizers } : {}),
      },
      spec: {
        project: this.project,
        source: { repoURL: this.world.repository, path: folder, targetRevision: 'main' },
        destination: { server: IN_CLUSTER, namespace: namespace ?? this.namespace },
        ...(Object.keys(policy).length > 0 ? { syncPolicy: policy } : {}),
        ...spec,
      },
    };
  }

  /** As argocd-server shows it. */
  async get(name: string): Promise<App> {
    return expectOk(await this.about('GET', name));
  }

  /** As Kubernetes has it; undefined where there is none. */
  async stored(name: string): Promise<App | undefined> {
    return (await this.read({ ...APPLICATION, metadata: this.inArgocd(name) })) as App | undefined;
  }

  inArgocd(name: string) {
    return { name, namespace: this.world.argocdNamespace };
  }

  /**
   * Argo CD loses one now and then, and then never answers it, nor the same request again: the mark that it makes is there already.
   * So it is asked in the other way, which changes the mark, as the client does.
   */
  async refresh(name: string, how: 'normal' | 'hard' = 'normal'): Promise<App> {
    let refresh = how;
    for (let left = 3; ; left--) {
      try {
        return expectOk(await this.about('GET', name, '', { refresh }));
      } catch (error) {
        const isLost = error instanceof TransportFailure && error.kind === 'deadline';
        if (!isLost || left === 0) throw error;
        refresh = refresh === 'hard' ? 'normal' : 'hard';
      }
    }
  }

  async sync(name: string, more: object = {}): Promise<Answer> {
    const retryStrategy = { limit: 0 };
    const body = { name, project: this.project, retryStrategy, ...more };
    return this.argo('POST', `/applications/${name}/sync`, body);
  }

  terminate(name: string): Promise<Answer> {
    return this.about('DELETE', name, '/operation');
  }

  /**
   * The Application once it looks as wanted. Argo CD may overlook a request or lose news of a resource until the next
   * change, so it is asked to look again now and then; not where the case is that it comes to it `unasked`.
   */
  untilApp(
    name: string,
    what: string,
    wanted: (app: App) => boolean | undefined,
    { unasked = false }: { readonly unasked?: boolean } = {},
  ): Promise<App> {
    const { clock } = this.world;
    let since = clock.monotonic();
    const ask = async () => {
      const { status, body } = await this.about('GET', name);
      if (status === 200 && wanted(body) === true) return body as App;
      if (!unasked && status === 200 && clock.monotonic() - since > REMINDER) {
        since = clock.monotonic();
        await this.refresh(name);
      }
      return undefined;
    };
    return this.until(`${name}: ${what}`, ask);
  }

  /** Its operation is over, however it ended. */
  ended(name: string): Promise<App> {
    const over = ({ operation, status }: App) =>
      operation === undefined &&
      status?.operationState?.finishedAt !== undefined &&
      ['Succeeded', 'Failed', 'Error'].includes(status.operationState.phase);
    return this.untilApp(name, 'operation over', over);
  }

  /**
   * Terminates it until it is over. One that was accepted may be lost: the controller writes its own older state over it,
   * Running as before.
   */
  terminated(name: string): Promise<App> {
    return this.until(`${name}: terminated`, async () => {
      const app = await this.get(name);
      if (app.operation === undefined) return app;
      if (app.status?.operationState?.phase === 'Running') await this.terminate(name);
      return undefined;
    });
  }

  running(name: string): Promise<App> {
    const runs = ({ status }: App) => status?.operationState?.phase === 'Running';
    return this.untilApp(name, 'operation running', runs);
  }

  untilState(
    name: string,
    sync: string,
    health: string,
    how: { readonly unasked?: boolean } = {},
  ): Promise<App> {
    const wanted = ({ status }: App) =>
      status?.sync?.status === sync && status.health?.status === health;
    return this.untilApp(name, `${sync} and ${health}`, wanted, how);
  }

  /** Requests a sync and waits for its end. */
  async synced(name: string, more: object = {}): Promise<App> {
    const { status, body } = await this.sync(name, more);
    if (status !== 200) throw new Error(`sync of ${name}: ${status} ${JSON.stringify(body)}`);
    return this.ended(name);
  }

  /** Synced on request, compared after it, and Healthy. */
  async deployed(name: string): Promise<App> {
    await this.synced(name);
    await this.nextSecond();
    await this.refresh(name);
    return this.untilState(name, 'Synced', 'Healthy');
  }

  /** Creates it, or merges it into what is there; what is null in it is removed. */
  async apply(object: Manifest): Promise<void> {
    const { name, namespace } = this.placed(object);
    const place = { ...object, namespace };
    for (;;) {
      const found = await this.kube('GET', pathOf(place, name));
      const metadata = { ...object.metadata, ...(namespace ? { namespace } : {}) };
      const done =
        found.status === 404
          ? await this.kube('POST', pathOf(place), merge({}, { ...object, metadata }))
          : await this.kube('PUT', pathOf(place, name), merge(found.body, object));
      if (done.status < 300) return;
      // Somebody wrote meanwhile.
      if (done.status !== 409) throw new Error(`apply: ${JSON.stringify(done.body)}`);
    }
  }

  /** Undefined where there is none. */
  async read(object: Manifest): Promise<Json> {
    const { name, namespace } = this.placed(object);
    const { status, body } = await this.kube('GET', pathOf({ ...object, namespace }, name));
    if (status === 404) return undefined;
    return expectOk({ status, body });
  }

  /** As kubectl asks for it. Returns when it is answered, not when it is gone. */
  async remove(object: Manifest, propagationPolicy = 'Background'): Promise<Answer> {
    const { name, namespace } = this.placed(object);
    return this.kube('DELETE', pathOf({ ...object, namespace }, name), { propagationPolicy });
  }

  /** Argo CD's controller can overlook a deletion. */
  async untilGone(object: Manifest, seconds = ROUND): Promise<void> {
    const ask = async () => (await this.read(object)) === undefined;
    await this.until(`${object.kind} ${object.metadata.name} to be gone`, ask, seconds);
  }

  /** Reads the AppProject, changes its windows and writes it back, as an administrator does. */
  async windows(syncWindows: readonly object[]): Promise<void> {
    await this.apply({
      ...PROJECT,
      metadata: this.inArgocd(this.project),
      spec: { syncWindows },
    });
  }

  /** In the case's namespace unless it names one. */
  placed({ kind, metadata }: Manifest) {
    const namespace = isNamespaced(kind) ? (metadata.namespace ?? this.namespace) : undefined;
    return { name: metadata.name, namespace };
  }
}
