// Argo CD in memory, as far as a node program sees it: operations that take time, comparisons in whole seconds, a watch.
// It is a stand-in for unit tests of the engine; what Argo CD really does is tried on the real stack.
import type {
  ApplicationView,
  LiveResource,
  OperationPhase,
} from '../../src/ports/application-view.ts';
import type { Hint, Watch } from '../../src/ports/application-watch.ts';
import type { Workflows } from '../../src/ports/argo-workflows.ts';
import type { Applications, SyncRequest } from '../../src/ports/argocd-applications.ts';
import type { ApplicationSetView, Target } from '../../src/ports/target.ts';
import type { WriteResult } from '../../src/ports/write-result.ts';
import { application, liveObjects, operationState, resource } from './application.ts';
import { FakeLeases, FakeProjects, FakeStore, projectNamed } from './cluster.ts';
import { noImports } from './no-imports.ts';
import { FakeProbes } from './probes.ts';
import { ALL_RIGHTS } from './rights.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A cluster without Argo Workflows. */
const noWorkflows: Workflows = {
  get: async () => undefined,
  list: async () => undefined,
  create: async () => ({ kind: 'refused', reason: 'not-found', message: 'no Workflows' }),
  stop: async () => ({ kind: 'refused', reason: 'not-found', message: 'no Workflows' }),
  watch: async () => false,
  watchAgent: async () => false,
};

export interface Behaviour {
  /** Seconds. */
  readonly sync?: number;
  readonly health?: number;
  /** How each operation ends, one after the other; the last one goes on. */
  readonly phases?: readonly OperationPhase[];
  /** What it turns into instead of Healthy. */
  readonly becomes?: string;
  readonly automated?: boolean;
  /** Its next operation is taken up only at a refresh. */
  readonly overlooked?: boolean;
  /** That it became Healthy is seen only at a refresh. */
  readonly unheard?: boolean;
}

export class FakeArgocd {
  readonly clock: VirtualClock;
  readonly leases = new FakeLeases();
  readonly projects = new FakeProjects();
  readonly store: FakeStore;
  readonly probes: FakeProbes;
  /** Every sync request that was accepted: name and operation id. */
  readonly syncs: { readonly at: number; readonly name: string; readonly id: string }[] = [];
  /** Answers of the next sync requests; `lost` is carried out without an answer. */
  readonly answers: ('lost' | WriteResult)[] = [];
  readonly #views = new Map<string, ApplicationView>();
  readonly #behaviours = new Map<string, Behaviour>();
  readonly #listeners = new Set<(hint: Hint) => void>();
  readonly #overlooked = new Map<string, () => void>();
  readonly #unheard = new Map<string, () => void>();
  readonly #planted = new Map<string, Partial<LiveResource>>();
  /** Resource -> who hears of its changes. */
  readonly #followers = new Map<string, () => void>();
  /** Whether resources may be watched. */
  followable = true;
  #version = 10;
  revision = 'rev-1';
  applicationSets: readonly ApplicationSetView[] = [];

  constructor(clock: VirtualClock) {
    this.clock = clock;
    this.store = new FakeStore(clock.now);
    this.probes = new FakeProbes(clock);
    this.projects.put(projectNamed('default'));
  }

  /** An Application that was never synced. */
  add(name: string, behaviour: Behaviour = {}): void {
    this.#behaviours.set(name, behaviour);
    this.#set(name, {
      ...application({ name, project: 'default', uid: `uid-${name}` }),
      automated: behaviour.automated ? { prune: false, selfHeal: true } : undefined,
      operationState: undefined,
      sync: { status: 'OutOfSync', revisions: [this.revision] },
      health: { status: 'Missing', message: '', lastTransition: undefined },
      resources: [
        resource({ name, status: 'OutOfSync', health: { status: 'Missing', message: '' } }),
      ],
      reconciledAt: this.#second(),
    });
  }

  view(name: string): ApplicationView {
    const view = this.#views.get(name);
    if (!view) throw new Error(`no ${name}`);
    return view;
  }

  change(name: string, part: Partial<ApplicationView>): void {
    this.#set(name, { ...this.view(name), ...part });
  }

  behave(name: string, behaviour: Behaviour): void {
    this.#behaviours.set(name, behaviour);
  }

  /** Its resource is changed, in whatever way. */
  stir(name: string): void {
    this.#followers.get(name)?.();
  }

  /** What is found in the cluster of it is so, whatever Argo CD says. */
  plant(name: string, part: Partial<LiveResource>): void {
    this.#planted.set(name, part);
  }

  /** The health of everything it manages. */
  turn(name: string, status: string): void {
    const lastTransition = String(this.clock.monotonic());
    const health = { status, message: '' };
    this.change(name, {
      health: { ...health, lastTransition },
      resources: [resource({ name, health })],
    });
  }

  get target(): Target {
    const target: Target = {
      namespace: 'argocd',
      applications: this.#applications(),
      objects: {
        get: async () => undefined,
        list: async () => [],
        contents: async () => [],
        remove: async () => ({ kind: 'done' }),
        prepareFinalizerRemoval: async () => async () => ({ kind: 'done' }),
      },
      residue: {
        terminating: async () => undefined,
        volumes: async () => [],
        webhooks: async () => [],
      },
      snapshots: {
        served: async () => false,
        get: async () => undefined,
        create: async () => ({ kind: 'done' }),
      },
      projects: this.projects.api,
      leases: this.leases.api,
      store: this.store.api,
      watches: {
        applications: async () => this.watch,
        projects: async () => false,
        run: async () => false,
      },
      workflows: noWorkflows,
      probes: this.probes.api,
      kinds: { settings: async () => new Map(), custom: async () => [] },
      imports: noImports,
      argocdVersion: async () => 'v3.2.11',
      ...{ tokenLives: async () => [], tokenRenewals: [] },
      whoAmI: async () => 'jane',
      rights: ALL_RIGHTS,
      applicationSets: {
        list: async () => this.applicationSets,
        orphan: async () => ({ kind: 'done' }),
      },
      identity: async () => 'own',
      contexts: new Map(),
      at: () => target,
    };
    return target;
  }

  #applications(): Applications {
    return {
      get: async ({ name }) => this.#views.get(name),
      list: async () => [...this.#views.values()],
      refresh: async ({ name }) => {
        await this.clock.sleep(50);
        this.#overlooked.get(name)?.();
        this.#unheard.get(name)?.();
        this.change(name, { reconciledAt: this.#second(), sync: this.#compared(name) });
        return this.#views.get(name);
      },
      liveResources: async ({ name }) => liveObjects(this.view(name), this.#planted.get(name)),
      ...{ managedObjects: async () => [], predictedObjects: async () => [] },
      remove: async () => ({ kind: 'done' }),
      culprit: async () => undefined,
      syncWindows: async () => [],
      requestSync: async ({ name }, request) => this.#request(name, request),
      terminate: async ({ name }) => {
        this.change(name, {
          operation: undefined,
          operationState: operationState({ phase: 'Failed', message: 'terminated' }),
        });
        return { kind: 'done' };
      },
    };
  }

  /** Another revision is one that changes it. */
  #compared(name: string): ApplicationView['sync'] {
    const { sync, operationState: state } = this.view(name);
    const revisions = [this.revision];
    const isOld = state?.phase === 'Succeeded' && state.revisions.join() !== revisions.join();
    return { ...sync, revisions, ...(isOld ? { status: 'OutOfSync' } : {}) };
  }

  #request(name: string, request: SyncRequest): WriteResult {
    const answer = this.answers.shift();
    if (answer && answer !== 'lost') return answer;
    if (this.view(name).operation) {
      const message = 'another operation is already in progress';
      return { kind: 'refused', reason: 'operation-in-progress', message };
    }
    this.syncs.push({
      at: this.clock.monotonic(),
      name,
      id: request.infos.get('tiphys/op') ?? '',
    });
    void this.#operate(name, request);
    return answer === 'lost' ? { kind: 'unknown', message: 'no answer' } : { kind: 'done' };
  }

  async #operate(name: string, { infos }: SyncRequest): Promise<void> {
    const operation = { infos, automated: false, username: 'tiphys' };
    this.change(name, { operation, operationState: undefined });
    const revisions = [this.revision];
    if (this.#behaviours.get(name)?.overlooked) {
      await new Promise<void>((resolve) => this.#overlooked.set(name, resolve));
    }
    this.change(name, {
      operationState: operationState({ infos, phase: 'Running', finishedAt: undefined }),
    });
    const {
      sync = 2,
      health = 3,
      phases = ['Succeeded'],
      becomes = 'Healthy',
    } = this.#behaviours.get(name) ?? {};
    await this.clock.sleep(sync * 1000);
    const phase = phases[0] ?? 'Succeeded';
    this.#behaviours.set(name, {
      ...this.#behaviours.get(name),
      phases: phases.length > 1 ? phases.slice(1) : phases,
    });
    const finishedAt = this.#second();
    const state = operationState({ infos, phase, finishedAt, revisions, message: `it ${phase}` });
    this.change(name, { operation: undefined, operationState: state });
    if (phase !== 'Succeeded') return;
    this.turn(name, 'Progressing');
    this.change(name, { sync: { status: 'Synced', revisions }, reconciledAt: finishedAt });
    await this.clock.sleep(health * 1000);
    this.stir(name);
    if (this.#behaviours.get(name)?.unheard) {
      await new Promise<void>((resolve) => this.#unheard.set(name, resolve));
    }
    this.turn(name, becomes);
  }

  get watch(): Watch {
    return {
      last: ({ name }) => this.#views.get(name),
      all: () => this.#views.values(),
      nextChange: ({ name }, signal) =>
        new Promise((resolve) => {
          const listener = (hint: Hint) => {
            if (hint.name === name) end();
          };
          const end = () => {
            this.#listeners.delete(listener);
            resolve();
          };
          this.#listeners.add(listener);
          signal.addEventListener('abort', end);
        }),
      follow: async ({ name }, changed, signal) => {
        this.#followers.set(name, changed);
        signal.addEventListener('abort', () => this.#followers.delete(name));
        return this.followable ? 0 : undefined;
      },
      subscribe: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  #set(name: string, view: ApplicationView): void {
    const next = { ...view, resourceVersion: String(++this.#version) };
    this.#views.set(name, next);
    for (const listener of [...this.#listeners]) {
      listener({ name, namespace: next.namespace, application: next });
    }
  }

  #second(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}
