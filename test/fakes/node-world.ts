// One node program against an Argo CD in memory, with no run around it. Tests say what its surroundings answer.

import { TiphysError } from '../../src/errors.ts';
import {
  ALONE,
  type NodeContext,
  type NodeInWalk,
  type NodeStage,
} from '../../src/node/node-context.ts';
import type { PlanNode } from '../../src/plan/plan.ts';
import type {
  ApplicationView,
  OperationRequest,
  OperationState,
} from '../../src/ports/application-view.ts';
import type { Watch } from '../../src/ports/application-watch.ts';
import type { Applications } from '../../src/ports/argocd-applications.ts';
import type { ClusterObjects } from '../../src/ports/cluster-objects.ts';
import type { Target } from '../../src/ports/target.ts';
import type { Emit } from '../../src/run/events.ts';
import { probeWrites } from '../../src/session/writes/probe-writes.ts';
import { Writes } from '../../src/session/writes/writes.ts';
import { application, gateInput, operationState } from './application.ts';
import { FakeArgocd } from './argocd.ts';
import { VirtualClock } from './virtual-clock.ts';

type Faulty<T> = { -readonly [K in keyof T]?: T[K] };

/** Of the Application that every test has. */
const NAME = 'a';

const IDENTITY = { id: 'run', platform: 'shop', plan: 'hash' };

/** Five minutes for a sync, as many for health. */
export function nodeOf(kind: PlanNode['kind'] = 'application', part: Partial<PlanNode> = {}) {
  const node: PlanNode = {
    id: kind === 'application' ? `app:${NAME}` : `${kind}:stack:s`,
    kind,
    application: NAME,
    argocd: { namespace: 'argocd', project: 'default' },
    stack: 's',
    dependsOn: [],
    layer: 0,
    timeouts: { sync: 300, health: 300 },
    retries: { maxAttempts: 3, backoff: 10 },
    gate: gateInput().settings,
    expectedDuration: 60,
  };
  return { ...node, ...part };
}

export const request = (id: string | undefined, part: Partial<OperationRequest> = {}) => ({
  infos: new Map(id === undefined ? [] : [['tiphys/op', id]]),
  automated: false,
  username: 'tiphys',
  ...part,
});

export const running = (id: string | undefined, part: Partial<OperationState> = {}) =>
  operationState({ ...request(id), phase: 'Running', message: '', finishedAt: undefined, ...part });

export const unreachable = (): TiphysError =>
  new TiphysError([{ code: 'argocd-unreachable', message: 'no route' }]);

export class NodeWorld {
  readonly clock = new VirtualClock();
  readonly argocd = new FakeArgocd(this.clock);
  /** As they answer where a test says nothing else. */
  readonly honest: Applications = this.argocd.target.applications;
  readonly applications: Faulty<Applications> = {};
  readonly objects: Faulty<ClusterObjects> = {};
  readonly watch: Faulty<Watch> = {};
  readonly walk: Faulty<NodeInWalk> = {};
  readonly events: Parameters<Emit>[0][] = [];
  readonly stages: NodeStage[] = [];
  readonly stop = new AbortController();
  readonly node: PlanNode;
  blocked: NodeContext['blocked'] = async () => undefined;
  /** What a write waits for. */
  held: () => Promise<void> = async () => {};
  mayRunTwice = false;
  holds = 0;

  /** Healthy and Synced after an operation of somebody long ago, but for what a test changes. */
  constructor(part: Partial<ApplicationView> = {}, node: PlanNode = nodeOf()) {
    this.node = node;
    this.argocd.add(NAME);
    const { namespace, project, uid } = this.argocd.view(NAME);
    const state = operationState({ ...request(undefined), startedAt: 98, finishedAt: 100 });
    this.argocd.change(NAME, {
      ...application({ name: NAME, namespace, project, uid, operationState: state }),
      ...part,
    });
  }

  get context(): NodeContext {
    const { clock } = this;
    const { target } = this.argocd;
    const cluster: Target = {
      ...target,
      applications: { ...this.honest, ...this.applications },
      objects: { ...target.objects, ...this.objects },
      at: () => cluster,
    };
    const lease = {
      awaitWritePermit: async () => {},
      send: async <T>(send: () => Promise<T>) => await send(),
      sendLong: async <T>(
        send: (it: { extension: Promise<number>; signal: AbortSignal }) => Promise<T>,
      ) => await send({ extension: new Promise(() => {}), signal: this.stop.signal }),
    };
    const held = () => this.held();
    const guards = { dependenciesReady: async () => {}, held, signal: this.stop.signal };
    return {
      session: {
        identity: IDENTITY,
        clock,
        target: cluster,
        mayRunTwice: this.mayRunTwice,
        probeWrites: (signal) => probeWrites(cluster, lease, signal),
      },
      node: this.node,
      watch: { ...this.argocd.watch, ...this.watch },
      emit: (event) => this.events.push(event),
      walk: {
        ...ALONE,
        entered: (stage) => this.stages.push(stage),
        ensureHold: async () => {
          this.holds++;
        },
        ...this.walk,
      },
      signal: this.stop.signal,
      writes: new Writes({ target: cluster, lease, clock }, guards),
      blocked: () => this.blocked(),
      forChild: (child) => ({ ...this.context, node: child }),
    };
  }

  get view(): ApplicationView {
    return this.argocd.view(NAME);
  }

  change(part: Partial<ApplicationView>): void {
    this.argocd.change(NAME, part);
  }

  /** After so many milliseconds. */
  later(ms: number, part: Partial<ApplicationView>): void {
    void this.clock.sleep(ms).then(() => this.change(part));
  }

  /** Whole seconds of the calendar, as Argo CD writes them. */
  get second(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  /** What was waited for, in its order. */
  get waits(): readonly string[] {
    return this.events.flatMap((event) =>
      event.type === 'node.waiting' ? [event.unmet.message] : [],
    );
  }

  /** Its result, and how many milliseconds that took. */
  async timed<T>(promise: Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
    const begin = this.clock.monotonic();
    const result = await this.clock.until(promise);
    return { result, ms: this.clock.monotonic() - begin };
  }
}
