// What a Workflow's agent does for each task. Its nodes share one Lease, one watch and one part of the record, from the
// first node until the end is requested.

import { EXIT, TiphysError } from '../../errors.ts';
import type { TaskResult } from '../../ports/argo-workflows.ts';
import type { Clock } from '../../ports/clock.ts';
import { TIME_UP } from '../../run/events.ts';
import { isoTime } from '../../run/iso-time.ts';
import type { AgentTask, Slot } from './agent.ts';
import { isGood, performNode } from './node-pod.ts';
import {
  joinForNodes,
  leaveToOthers,
  type NodeHost,
  notOwned,
  type PodRequest,
  podNamespaces,
} from './pod.ts';

export interface AgentRunParts {
  /** Created with the first task: an error in it is reported as that task's result. */
  readonly request: () => Promise<PodRequest>;
  /** The previous layers have ended, with any result. */
  readonly layered: boolean;
  readonly clock: Clock;
  /** Seconds that a task may take. Argo Workflows applies timeouts to pods only, not to what they do. */
  readonly limits: { readonly run: number; readonly begin: number; readonly end: number };
  /** The run's id. */
  readonly begin: (request: PodRequest) => Promise<string>;
  readonly end: (request: PodRequest, runStartedAt: number) => Promise<void>;
  /** Reports what went wrong with a task. */
  readonly complain: (error: unknown) => void;
}

export class AgentRun {
  readonly #parts: AgentRunParts;
  #request: Promise<PodRequest> | undefined;
  #shared: Promise<NodeHost> | undefined;
  /** The start as its nodes were told. The Workflow may have waited for another one before. */
  #runStartedAt: number | undefined;

  constructor(parts: AgentRunParts) {
    this.#parts = parts;
  }

  async perform(task: AgentTask, signal: AbortSignal, slot?: Slot): Promise<TaskResult> {
    const late = new AbortController();
    const ended = new AbortController();
    void this.#parts.clock.sleep(this.#timeLeft(task), ended.signal).then(() => {
      if (!ended.signal.aborted) late.abort();
    });
    try {
      return await this.#result(task, AbortSignal.any([signal, late.signal]), slot);
    } catch (error) {
      if (late.signal.aborted) return failed(EXIT.timeout, TIME_UP);
      if (!signal.aborted) this.#parts.complain(error);
      const status = error instanceof TiphysError ? error.exitStatus : EXIT.failure;
      return failed(status, error instanceof Error ? error.message : String(error));
    } finally {
      ended.abort();
    }
  }

  /** For nodes, the timeout of the whole run. */
  #timeLeft({ action, started }: AgentTask): number {
    const { clock, limits } = this.#parts;
    if (action !== 'node') return limits[action] * 1000;
    return Math.max(0, (timeOf(started) ?? clock.now()) + limits.run * 1000 - clock.now());
  }

  /** No more writes, and the Lease is left to the process that continues. */
  async close(): Promise<void> {
    const closing = this.#shared;
    this.#shared = undefined;
    const shared = await closing?.catch(() => undefined);
    if (shared) await leaveToOthers(shared.session);
  }

  async #result(task: AgentTask, signal: AbortSignal, slot?: Slot): Promise<TaskResult> {
    const made = await this.#made();
    const request = { ...made, signal };
    const runStartedAt = timeOf(task.started) ?? 0;
    if (task.action === 'begin') {
      const started = isoTime(this.#parts.clock.now());
      return succeeded({ run: await this.#parts.begin(request), started });
    }
    if (task.action === 'end') {
      await this.close();
      await this.#parts.end(request, this.#runStartedAt ?? runStartedAt);
      // A failed task has reported its failure; the report itself is not a failure.
      return succeeded({});
    }
    this.#runStartedAt = runStartedAt;
    const { layered } = this.#parts;
    const { node: id, run } = task;
    const host = await this.#host(made, run);
    const node = { ...request, id, run, runStartedAt, layered };
    const end = await performNode(node, { ...host, slot });
    const { outcome, message } = end;
    return isGood(end) ? succeeded({ outcome }) : failed(EXIT.failure, message, { outcome });
  }

  #made(): Promise<PodRequest> {
    this.#request ??= this.#parts.request().catch((error: unknown) => {
      this.#request = undefined;
      throw error;
    });
    return this.#request;
  }

  async #host(request: PodRequest, run: string): Promise<NodeHost> {
    const known = await this.#shared;
    // A process that lost the Lease may hold it again, and is told otherwise when it asks.
    if (known?.session.lost.aborted && (await this.#shared) === known) await this.close();
    this.#shared ??= this.#share(request).catch((error: unknown) => {
      this.#shared = undefined;
      throw error;
    });
    const shared = await this.#shared;
    if (shared.session.identity.id !== run) throw notOwned(request);
    return shared;
  }

  async #share(request: PodRequest): Promise<NodeHost> {
    const session = await joinForNodes(request, PART);
    try {
      return { session, watch: await session.watch(podNamespaces(request)) };
    } catch (error) {
      await leaveToOthers(session);
      throw error;
    }
  }
}

/** The part of the record. A restarted agent continues it. */
const PART = 'agent';

const succeeded = (outputs: TaskResult['outputs']): TaskResult => ({
  phase: 'Succeeded',
  message: '',
  outputs,
});

const MESSAGE_MAX = 400;

/** The wording of Argo Workflows for the end of a container. */
const failed = (
  status: number,
  message: string,
  outputs: TaskResult['outputs'] = {},
): TaskResult => ({
  phase: 'Failed',
  message: `Error (exit code ${status}): ${message}`.slice(0, MESSAGE_MAX),
  outputs,
});

function timeOf(text: string): number | undefined {
  return new Date(text).getTime() || undefined;
}
