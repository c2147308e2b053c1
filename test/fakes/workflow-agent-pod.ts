// The agent's pod and its task set, in small: made for the first task, replaced when it is lost, gone with the Workflow.
import { serveTasks } from '../../src/engines/argo-workflows/agent.ts';
import { AgentRun } from '../../src/engines/argo-workflows/agent-run.ts';
import { beginRun } from '../../src/engines/argo-workflows/begin.ts';
import { endRun } from '../../src/engines/argo-workflows/end.ts';
import type { PodRequest } from '../../src/engines/argo-workflows/pod.ts';
import type { TaskResult, TaskSets } from '../../src/ports/argo-workflows.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Report } from '../../src/report/run-report.ts';

type Values = Readonly<Record<string, string>>;

const POD_MS = 5_000;
/** Until the controller looks at the task set again. */
const ROUND_MS = 1_000;

export interface AgentPodParts {
  readonly request: PodRequest;
  readonly name: string;
  readonly clock: Clock;
  readonly layered: boolean;
  /** Mode `gated`. */
  readonly keepHold: boolean;
  readonly strict: boolean;
  readonly keep: (report: Report | undefined) => void;
  readonly left: (node: string) => void;
}

export class AgentPod {
  readonly #parts: AgentPodParts;
  readonly #tasks = new Map<string, Values>();
  readonly #results = new Map<string, TaskResult>();
  readonly #waiting = new Map<string, (result: TaskResult | undefined) => void>();
  #changed: () => void = () => {};
  #pod: AbortController | undefined;
  #isOver = false;
  pods = 0;
  /** Of nodes in work at the same time. */
  most = 0;

  constructor(parts: AgentPodParts) {
    this.#parts = parts;
  }

  /** Undefined: it was taken back. */
  async result(values: Values): Promise<TaskResult | undefined> {
    const { clock } = this.#parts;
    const id = `${this.#parts.name}-${this.#tasks.size}-${this.#results.size}-${clock.now()}`;
    const given = new Promise<TaskResult | undefined>((resolve) => this.#waiting.set(id, resolve));
    this.#tasks.set(id, values);
    this.#changed();
    if (!this.#pod) this.#start();
    const result = await given;
    await clock.sleep(ROUND_MS);
    this.#tasks.delete(id);
    this.#results.delete(id);
    this.#changed();
    return result;
  }

  /** All that is under way is taken back. */
  takeBack(): void {
    for (const resolve of this.#waiting.values()) resolve(undefined);
    this.#waiting.clear();
    this.#tasks.clear();
    this.#changed();
  }

  lose(): void {
    this.#pod?.abort();
    this.#start();
  }

  remove(): void {
    this.#isOver = true;
    this.#pod?.abort();
    this.#changed();
  }

  #start(): void {
    const pod = new AbortController();
    this.#pod = pod;
    this.pods++;
    const { clock } = this.#parts;
    void clock.sleep(POD_MS, pod.signal).then(() => this.#serve(pod.signal));
  }

  async #serve(signal: AbortSignal): Promise<void> {
    const { request, clock, layered, keep, name, keepHold, strict, left } = this.#parts;
    const { runTimeout, concurrency } = request.plan;
    let inWork = 0;
    const ender = `agent-${this.pods}`;
    const run = new AgentRun({
      request: async () => ({ ...request, signal }),
      ...{ layered, clock, limits: { run: runTimeout, begin: 3600, end: 600 } },
      begin: (given) => beginRun({ ...given, runId: `run-${name}` }),
      end: async (given, runStartedAt) =>
        keep(await endRun({ ...given, runStartedAt, runTimeout, keepHold, strict, ender })),
      complain: () => {},
    });
    await serveTasks({
      ...{ taskSets: this.#api, namespace: 'argo', workflow: name, clock, concurrency, signal },
      warn: () => {},
      perform: async (task, taken, slot) => {
        this.most = Math.max(this.most, ++inWork);
        try {
          return await run.perform(task, taken, slot);
        } finally {
          inWork--;
          left(task.node);
        }
      },
    });
    await run.close();
  }

  get #api(): TaskSets {
    return {
      get: async () => ({
        isOver: this.#isOver,
        tasks: new Map(this.#tasks),
        reported: new Set(this.#results.keys()),
      }),
      report: async (_, __, results) => {
        for (const [id, result] of results) {
          if (!this.#tasks.has(id)) continue;
          this.#results.set(id, result);
          this.#waiting.get(id)?.(result);
          this.#waiting.delete(id);
        }
        return { kind: 'done' };
      },
      watch: async (_, __, changed) => {
        this.#changed = changed;
        return true;
      },
    };
  }
}
