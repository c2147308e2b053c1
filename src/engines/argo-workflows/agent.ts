// The agent of a Workflow: one pod that serves its begin, nodes and end, instead of one pod each. It reads its tasks from
// the Workflow's task set and writes the results there. It is stateless: a restarted agent starts every task without a
// result, and every task can be started again.
import { TiphysError } from '../../errors.ts';
import type { TaskResult, TaskSetReads, TaskSetView } from '../../ports/argo-workflows.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WriteResult } from '../../ports/write-result.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { reportTasks } from '../../session/writes/workflow-writes.ts';
import { Slots } from '../slots.ts';

export interface AgentTask {
  readonly action: 'begin' | 'node' | 'end';
  /** The plan's node, if the task is one. */
  readonly node: string;
  /** The run id from `begin`; empty before it. */
  readonly run: string;
  /** When the run started, or before that when the Workflow was created, ISO 8601. */
  readonly started: string;
}

/** A node's slot among those in progress. */
export interface Slot {
  /** Gives the slot to other nodes. */
  readonly release: () => void;
  /** Resolves when it has a slot again. */
  readonly acquire: (signal: AbortSignal) => Promise<void>;
}

export interface AgentParts {
  readonly taskSets: TaskSetReads;
  readonly namespace: string;
  readonly workflow: string;
  readonly clock: Clock;
  /** The maximum number of nodes in progress: Argo Workflows does not count those of an agent. */
  readonly concurrency: number;
  /** Fires when the pod is asked to terminate: another one continues. */
  readonly signal: AbortSignal;
  /** The signal fires when the result is no longer needed. Every error is a result. */
  readonly perform: (task: AgentTask, signal: AbortSignal, slot?: Slot) => Promise<TaskResult>;
  readonly warn: (message: string) => void;
}

/** A watch may be lost for a moment, or be forbidden. */
const TASK_SET_POLL_MS = 5_000;
const RETRY_MS = 1_000;

/** Until the Workflow ends, or it is aborted. */
export async function serveTasks(parts: AgentParts): Promise<void> {
  await new Agent(parts).run();
}

interface Work {
  readonly task: AgentTask;
  readonly taken: AbortController;
  readonly ended: Promise<void>;
}

class Agent {
  readonly #parts: AgentParts;
  readonly #slots: Slots;
  readonly #work = new Map<string, Work>();
  /** Not in the task set yet. */
  readonly #results = new Map<string, TaskResult>();
  /** In the task set, including for a reader that has just read it. */
  readonly #told = new Set<string>();
  #wake = new AbortController();
  #reporting: Promise<void> | undefined;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#slots = new Slots(parts.concurrency);
  }

  async run(): Promise<void> {
    const { taskSets, namespace, workflow, signal, clock } = this.#parts;
    const over = new AbortController();
    try {
      await taskSets.watch(namespace, workflow, () => this.#wake.abort(), over.signal);
      while (!signal.aborted) {
        this.#wake = new AbortController();
        const now = await this.#look();
        if (now === 'over') break;
        if (now) this.#follow(now);
        await clock.sleep(TASK_SET_POLL_MS, AbortSignal.any([signal, this.#wake.signal]));
      }
      for (const { taken } of this.#work.values()) taken.abort();
      await Promise.all([...this.#work.values()].map(({ ended }) => ended));
      await this.#reporting;
    } finally {
      over.abort();
    }
  }

  /** Undefined: it cannot be read now. Tasks in progress continue. */
  async #look(): Promise<TaskSetView | 'over' | undefined> {
    const { taskSets, namespace, workflow, warn } = this.#parts;
    try {
      const now = await taskSets.get(namespace, workflow);
      return !now || now.isOver ? 'over' : now;
    } catch (error) {
      if (!(error instanceof TiphysError) || !error.isPassing) throw error;
      warn(error.message);
      return undefined;
    }
  }

  /** Cancelled tasks are abandoned, and new ones started. */
  #follow({ tasks, reported }: TaskSetView): void {
    for (const [id, { taken }] of this.#work) if (!tasks.has(id)) taken.abort();
    for (const id of this.#results.keys()) if (!tasks.has(id)) this.#results.delete(id);
    for (const id of this.#told) if (!tasks.has(id)) this.#told.delete(id);
    for (const [id, given] of tasks) {
      const isKnown = [this.#work, this.#results, this.#told, reported].some((all) => all.has(id));
      const task = given && taskOf(given);
      if (task && !isKnown) this.#begin(id, task);
    }
  }

  #begin(id: string, task: AgentTask): void {
    const taken = new AbortController();
    const signal = AbortSignal.any([this.#parts.signal, taken.signal]);
    const ended = this.#perform(id, task, signal).finally(() => this.#work.delete(id));
    this.#work.set(id, { task, taken, ended });
  }

  async #perform(id: string, task: AgentTask, signal: AbortSignal): Promise<void> {
    // The end comes last, and a node is never in progress twice.
    const before = [...this.#work.values()].filter(
      (other) => task.action === 'end' || other.task.node === task.node,
    );
    await Promise.all(before.map(({ ended }) => ended));
    const result = await this.#inTurn(id, task, signal);
    if (!result || signal.aborted) return;
    this.#results.set(id, result);
    this.#reporting ??= this.#report();
  }

  async #inTurn(id: string, task: AgentTask, signal: AbortSignal): Promise<TaskResult | undefined> {
    const { perform } = this.#parts;
    if (task.action !== 'node') return signal.aborted ? undefined : await perform(task, signal);
    try {
      await this.#slots.wait(id, signal);
      return await perform(task, signal, this.#slotOf(id));
    } catch (error) {
      if (error instanceof Abandoned) return undefined;
      throw error;
    } finally {
      this.#release(id);
    }
  }

  #release(id: string): void {
    this.#slots.giveBack(id);
    this.#slots.admit();
  }

  #slotOf(id: string): Slot {
    return {
      release: () => this.#release(id),
      acquire: (signal) => this.#slots.wait(id, signal),
    };
  }

  /** Everything that is ready, in one write, until the task set has it. */
  async #report(): Promise<void> {
    const { taskSets, namespace, workflow, clock, signal, warn } = this.#parts;
    while (this.#results.size > 0 && !signal.aborted) {
      const sent = new Map(this.#results);
      const result = await reportTasks(taskSets, namespace, workflow, sent).catch(asUnknown);
      if (result.kind === 'done') {
        for (const id of sent.keys()) if (this.#results.delete(id)) this.#told.add(id);
        continue;
      }
      if (result.kind === 'refused' && result.reason === 'conflict') continue;
      warn(`the results of ${[...sent.keys()].join(', ')} cannot be written: ${result.message}`);
      await clock.sleep(RETRY_MS, signal);
    }
    this.#reporting = undefined;
  }
}

const asUnknown = (error: unknown): WriteResult => ({ kind: 'unknown', message: String(error) });

function taskOf(given: Readonly<Record<string, string>>): AgentTask | undefined {
  const { action, node = '', run = '', started = '' } = given;
  if (action !== 'begin' && action !== 'node' && action !== 'end') return undefined;
  return { action, node, run, started };
}
