// A deployment in this process: starts a node the moment the gate of its last dependency opens. It owns no knowledge of
// order (`Schedule`) nor of what is done at a node (`src/run`); it puts the two together and tells what happens.

import { TiphysError } from '../../errors.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { type Cause, type Emit, type EventBody, THE_RUN } from '../../run/events.ts';
import { Abandoned, type NodeContext } from '../../run/node-context.ts';
import type { Observed } from '../../run/observe.ts';
import { observe } from '../../run/observe.ts';
import { DWELL } from '../../run/pass-gate.ts';
import type { NodeResult } from '../../run/progress.ts';
import { runApplication } from '../../run/run-node.ts';
import { closeParent, openParent } from '../../run/run-parent.ts';
import { Schedule } from '../../run/schedule.ts';
import type { SyncWindow } from '../../run/target.ts';
import { GateKeeper } from './gate-keeper.ts';

export interface DeploymentParts {
  readonly plan: Plan;
  /** For one node, with the emit that it must use. */
  readonly contextOf: (node: PlanNode, emit: Emit) => NodeContext;
  readonly emit: Emit;
  readonly concurrency: number;
  /** Called when a node is started; what it returns, when its request was sent or it turned out to need none. */
  readonly urgent: () => () => void;
  /** Called when a gate has opened and everything that waited for it was started. */
  readonly handOver: (node: PlanNode) => void;
}

/** An observation that is older may not be worth acting on. */
const PREPARED_MS = 30_000;

interface Prepared {
  readonly at: number;
  readonly observed: Promise<Observed | undefined>;
  readonly windows: Promise<readonly SyncWindow[] | undefined>;
}

export class Deployment {
  readonly #parts: DeploymentParts;
  readonly #schedule: Schedule;
  readonly #gates: GateKeeper;
  readonly #prepared = new Map<string, Prepared>();
  /** In their dwell: their gates are as good as open. */
  readonly #dwelling = new Set<string>();
  readonly #wakes = new Set<() => void>();
  /** Their Applications do not exist yet: they take no slot from those that they wait for. */
  readonly #appearing = new Set<string>();
  /** Started and not ended, with the seconds that they waited. */
  readonly #running = new Map<string, { node: PlanNode; wait: number }>();
  #startedAt = 0;
  #stopped: string | undefined;
  /** What still comes of abandoned nodes is not this run's any more. */
  #isOver = false;
  #finish: () => void = () => {};

  constructor(parts: DeploymentParts) {
    this.#parts = parts;
    this.#schedule = new Schedule(parts.plan);
    this.#gates = new GateKeeper(this.#schedule, {
      contextOf: parts.contextOf,
      emit: parts.emit,
      changed: () => this.#pump(),
      failed: (node, cause) => this.#fallen(node, cause),
    });
  }

  /** Resolves when every node has come to its end, or those that have not are abandoned. */
  async run(monotonic: number, abandoned: Promise<void>): Promise<void> {
    this.#startedAt = monotonic;
    const end = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.#pump();
    await Promise.race([end, abandoned]);
    this.#gates.close();
    for (const { node, wait } of [...this.#running.values()]) {
      this.#ended(node, wait, lostResult(node, new Abandoned(), this.#stopped));
    }
    for (const node of this.#parts.plan.nodes) {
      if (this.#schedule.state(node.id) === 'shut')
        this.#fallen(node, { node: node.id, message: 'fell after its gate had opened' });
    }
    this.#isOver = true;
  }

  /** Starts nothing more; what is in flight goes on to its end. */
  stop(message: string): void {
    this.#stopped ??= message;
    for (const id of this.#schedule.stop({ node: THE_RUN, message })) this.#skipped(id);
    this.#gates.stop();
    this.#pump();
  }

  #pump(): void {
    for (const wake of [...this.#wakes]) wake();
    for (let again = true; again; ) {
      again = false;
      for (const node of this.#schedule.ready()) {
        if (node.application === null) {
          this.#join(node);
          again = true;
        } else if (this.#running.size - this.#appearing.size < this.#parts.concurrency) {
          this.#start(node);
        }
      }
    }
    for (const node of this.#schedule.nearlyReady(this.#dwelling)) this.#prepare(node);
    if (this.#schedule.isOver() && this.#running.size === 0) this.#finish();
  }

  #join(node: PlanNode): void {
    this.#schedule.open(node.id);
    this.#parts.emit({ type: 'gate.opened', node: node.id, evidence: null });
  }

  #start(node: PlanNode): void {
    this.#schedule.start(node.id);
    const calm = this.#parts.urgent();
    const context = {
      ...this.#withPreparedWindows(node, this.#parts.contextOf(node, this.#emitOf(node, calm))),
      ready: () => this.#dependenciesOpen(node, context.signal),
    };
    const wait = (context.clock.monotonic() - this.#startedAt) / 1000;
    this.#running.set(node.id, { node, wait });
    this.#parts.emit({ type: 'node.started', node: node.id, application: node.application });
    void this.#program(node, context)
      .finally(calm)
      .then(
        (result) => this.#ended(node, wait, result),
        (error: unknown) => this.#ended(node, wait, lostResult(node, error, this.#stopped)),
      );
  }

  async #program(node: PlanNode, context: NodeContext): Promise<NodeResult> {
    if (node.kind === 'open') return await openParent(context);
    if (node.kind === 'close') return await closeParent(context);
    return await runApplication(context, () => this.#observation(node, context));
  }

  /**
   * What was found while the last dependency was in its dwell saves the time of looking again, but only for saying that a
   * sync is needed: that nothing is to do must be found out after the gates.
   */
  async #observation(node: PlanNode, context: NodeContext): Promise<Observed> {
    const prepared = this.#prepared.get(node.id);
    if (prepared && context.clock.monotonic() - prepared.at < PREPARED_MS) {
      const observed = await prepared.observed;
      if (observed?.kind === 'needs-sync' && !observed.adopted) return observed;
    }
    return await observe(context);
  }

  #prepare(node: PlanNode): void {
    if (node.kind !== 'application' || this.#prepared.has(node.id)) return;
    const context = this.#parts.contextOf(node, () => {});
    // One that does not exist yet has to be waited for, and that is to be seen.
    if (!context.watch.last(context.address)) return;
    const observed = observe(context).catch(() => undefined);
    const windows = context.applications.syncWindows(context.address).catch(() => undefined);
    this.#prepared.set(node.id, { at: context.clock.monotonic(), observed, windows });
  }

  /** The windows that were asked for in advance serve for the first request; afterwards they are asked for anew. */
  #withPreparedWindows(node: PlanNode, context: NodeContext): NodeContext {
    const { applications, clock } = context;
    let first = true;
    const syncWindows: typeof applications.syncWindows = async (address) => {
      const prepared = first ? this.#prepared.get(node.id) : undefined;
      first = false;
      const fresh = prepared && clock.monotonic() - prepared.at < PREPARED_MS;
      return (fresh && (await prepared.windows)) || (await applications.syncWindows(address));
    };
    return { ...context, applications: { ...applications, syncWindows } };
  }

  /** Between a node's start and its request minutes can pass; what it depends on may fall meanwhile. */
  async #dependenciesOpen(node: PlanNode, signal: AbortSignal): Promise<void> {
    for (;;) {
      const found = this.#schedule.dependencies(node.id);
      if (found === 'open') return;
      if (found !== 'shut') {
        const message = `${found.node} ${found.message}`;
        throw new TiphysError([{ code: 'dependencies-not-healthy', message, hint: '' }]);
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#wakes.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#wakes.add(wake);
        signal.addEventListener('abort', wake);
      });
      if (signal.aborted) throw new Abandoned();
    }
  }

  #emitOf(node: PlanNode, calm: () => void): Emit {
    return (event: EventBody) => {
      if (this.#isOver) return;
      this.#parts.emit(event);
      if (event.type === 'node.sync-requested') this.#schedule.asked(node.id);
      const exists = event.type !== 'node.waiting' || event.unmet.condition !== 'exists';
      if (exists) this.#appearing.delete(node.id);
      else this.#appearing.add(node.id);
      if (event.type !== 'node.waiting') return;
      calm();
      if (event.unmet.condition === DWELL) this.#dwelling.add(node.id);
      else this.#dwelling.delete(node.id);
      this.#pump();
    };
  }

  #ended(node: PlanNode, wait: number, result: NodeResult): void {
    if (!this.#running.delete(node.id)) return;
    this.#schedule.asked(node.id);
    this.#appearing.delete(node.id);
    this.#dwelling.delete(node.id);
    const { outcome, cause, evidence, durations, ...rest } = result;
    const opened = outcome === 'healthy' || outcome === 'unchanged';
    if (opened) this.#parts.emit({ type: 'gate.opened', node: node.id, evidence });
    const times = { wait: Math.round(wait * 1000) / 1000, ...durations };
    this.#parts.emit({
      type: 'node.finished',
      node: node.id,
      outcome,
      cause,
      ...rest,
      durations: times,
    });
    if (opened) {
      this.#schedule.open(node.id);
      if (evidence && node.kind !== 'open') this.#gates.watch(node, evidence);
      this.#pump();
      this.#parts.handOver(node);
    } else {
      this.#fail(node, cause ?? { node: node.id, message: 'failed' });
    }
  }

  /** Its gate had opened, and does not open again. */
  #fallen(node: PlanNode, cause: Cause): void {
    if (this.#isOver) return;
    this.#parts.emit({ ...NOTHING_DONE, node: node.id, outcome: 'failed', cause });
    this.#fail(node, cause);
  }

  #fail(node: PlanNode, cause: Cause): void {
    for (const id of this.#schedule.fail(node.id, cause)) this.#skipped(id);
    this.#pump();
  }

  #skipped(id: string): void {
    const cause = this.#schedule.cause(id);
    this.#parts.emit({ ...NOTHING_DONE, node: id, outcome: 'skipped', cause });
  }
}

const NOTHING_DONE = {
  type: 'node.finished',
  attempts: 0,
  operations: [],
  revisions: [],
  repositories: [],
  durations: { wait: 0, sync: 0, health: 0, dwell: 0 },
} as const;

function lostResult(node: PlanNode, error: unknown, why?: string): NodeResult {
  const message =
    error instanceof Abandoned
      ? `${why ?? 'the run was told to leave'} while it was in work; the next run goes on with it`
      : `a mistake in Tiphys: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
  const { type: _, ...nothing } = NOTHING_DONE;
  return { ...nothing, outcome: 'failed', cause: { node: node.id, message }, evidence: null };
}
