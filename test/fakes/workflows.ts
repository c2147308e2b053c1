// The Workflows of a cluster in memory: what is created is run by the small controller, one at a time for each mutex.
import type { Shape } from '../../src/engines/argo-workflows/compile-workflow.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Workflows, WorkflowView } from '../../src/ports/argo-workflows.ts';
import type { World } from './run-world.ts';
import { MiniController } from './workflow-controller.ts';

interface Entry {
  view: WorkflowView;
  readonly controller: MiniController;
}

interface Created {
  readonly metadata: {
    readonly name: string;
    readonly labels: Record<string, string>;
    readonly annotations: Record<string, string>;
  };
  readonly spec: { readonly synchronization?: { readonly mutexes: readonly Mutex[] } };
}

interface Mutex {
  readonly name: string;
}

export class FakeWorkflows {
  readonly #world: World;
  readonly #plan: Plan;
  readonly #nodes: Shape;
  readonly entries = new Map<string, Entry>();
  readonly stopped: string[] = [];
  readonly #changed = new Set<() => void>();
  readonly #agents = new Set<(trouble: string) => void>();
  /** Whoever follows may see pods. */
  podsAreSeen = true;
  /** Mutex -> the end of the last that waits for it. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(world: World, plan: Plan, nodes: Shape = 'pods') {
    this.#nodes = nodes;
    this.#world = world;
    this.#plan = plan;
    world.part.workflows = this.api;
  }

  get api(): Workflows {
    return {
      get: async (_, name) => this.entries.get(name)?.view,
      list: async () => [...this.entries.values()].map(({ view }) => view),
      create: async (namespace, _, object) => {
        this.#create(namespace, object as Created);
        return { kind: 'done' };
      },
      stop: async (_, name) => {
        this.stopped.push(name);
        this.entries.get(name)?.controller.end('stop');
        return { kind: 'done' };
      },
      watch: async (_, __, changed, signal) => {
        this.#changed.add(changed);
        signal.addEventListener('abort', () => this.#changed.delete(changed));
        return true;
      },
      watchAgent: async (_, __, changed, signal) => {
        if (!this.podsAreSeen) return false;
        this.#agents.add(changed);
        signal.addEventListener('abort', () => this.#agents.delete(changed));
        return true;
      },
    };
  }

  #create(namespace: string, { metadata, spec }: Created): void {
    const { name } = metadata;
    const controller = new MiniController(this.#world, this.#plan, name, this.#nodes);
    const view: WorkflowView = {
      ...{ name, namespace, uid: `uid-${name}`, phase: 'Pending', message: '' },
      ...{ run: undefined, nodes: [], isPacked: false },
      labels: new Map(Object.entries(metadata.labels)),
      annotations: new Map(Object.entries(metadata.annotations)),
      createdAt: new Date(this.#world.clock.now()).toISOString(),
    };
    this.entries.set(name, { view, controller });
    const mutexes = (spec.synchronization?.mutexes ?? []).map((mutex) => mutex.name);
    const before = Promise.all(mutexes.map((mutex) => this.#last.get(mutex)));
    const ended = before.then(() => this.#run(name, controller));
    for (const mutex of mutexes) this.#last.set(mutex, ended);
  }

  async #run(name: string, controller: MiniController): Promise<void> {
    this.show(name, { phase: 'Running' });
    const { phases, messages } = await controller.run();
    const begin = phases.get('begin');
    const message = `Error (exit code 3): ${messages[0]}`;
    const tries = {
      name: 'begin',
      phase: 'Failed',
      message: 'retryStrategy.expression evaluated to false',
    };
    const nodes = begin === 'Failed' ? [tries, { name: 'begin(0)', phase: 'Failed', message }] : [];
    const good = [...phases.values()].every((one) => one === 'Succeeded' || one === 'Skipped');
    this.show(name, { phase: good ? 'Succeeded' : 'Failed', nodes, run: this.#runOf(begin) });
  }

  /** One at a time runs: the last that has started is meant. */
  #runOf(begin: string | undefined): string | undefined {
    const started = this.#world.events.findLast(({ type }) => type === 'run.started');
    return begin === 'Succeeded' ? started?.run : undefined;
  }

  /** What is said of the agent's pod. */
  showAgent(trouble: string): void {
    for (const changed of [...this.#agents]) changed(trouble);
  }

  show(name: string, part: Partial<WorkflowView>): void {
    const entry = this.entries.get(name);
    if (entry) entry.view = { ...entry.view, ...part };
    for (const changed of [...this.#changed]) changed();
  }
}
