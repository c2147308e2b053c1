// One walk over a plan, for deployment and teardown: starts a node the moment the last one that it depends on is open. What
// happens at a node is passed in (`perform`); which node may start, the schedule knows (`src/run/schedule.ts`).
//
// A node is always in one of these states:
//
// | state   | entered when                                          | left for                                            |
// |---------|-------------------------------------------------------|-----------------------------------------------------|
// | waiting | the walk begins                                       | running: all its dependencies are open, a slot free |
// |         |                                                       | open: the same, and there is nothing to do (a join)  |
// |         |                                                       | skipped: one of these failed, or the walk stops     |
// | running | `perform` was called                                  | open, failed or skipped: as its result says         |
// |         |                                                       | open: `openEarly`; it is performed to its end       |
// | open    | its gate has opened, or its Application is gone       | shut: `fell`, while something still waits for it    |
// | shut    | its gate fell                                         | open: `reopened`; failed: `failed`, or at the end   |
// | failed  | it, or what it is judged by, cannot come any more     |                                                     |
// | skipped | it never began, or its Application never came         |                                                     |
//
// While it runs, a node tells the walk which stage it enters: `appearing` (its Application is not there: it takes no slot),
// `waiting`, `requested` (what it depends on counts no more), `asking` (it waits for an approval: it takes no slot), `dwelling`
// (its gate is as good as open).
import type { NodeStage } from '../node/node-context.ts';
import type { NodeResult } from '../node/progress.ts';
import type { Plan, PlanNode } from '../plan/plan.ts';
import type { Clock } from '../ports/clock.ts';
import { type Cause, type Emit, isThrough, THE_RUN } from '../run/events.ts';
import { type Rank, Schedule } from '../run/schedule.ts';
import { Abandoned } from '../session/abandoned.ts';
import { dependencyFell, lostResult, NOTHING_DONE } from './node-results.ts';
import type { Slots } from './slots.ts';

/** What one node gets from the walk while it is performed. */
export interface Visit {
  readonly node: PlanNode;
  /** Nothing is reported once the walk is over. */
  readonly emit: Emit;
  readonly entered: (stage: NodeStage) => void;
  /** Dependents may start although the node has not ended. */
  readonly openEarly: () => void;
  /** Resolves when it may proceed; it has to wait if it gave its slot back. */
  readonly awaitSlot: (signal: AbortSignal) => Promise<void>;
  /** Resolves when all its dependencies are open; throws once that is impossible. */
  readonly dependenciesReady: (signal: AbortSignal) => Promise<void>;
}

export interface WalkParts {
  readonly plan: Plan;
  readonly rank: Rank;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly perform: (visit: Visit) => Promise<NodeResult>;
  /** Hooks, in this order if they coincide. */
  readonly joined?: (node: PlanNode) => void;
  readonly ended?: (node: PlanNode, result: NodeResult) => void;
  readonly skipped?: (node: PlanNode) => void;
  /** Everything that may start has started. */
  readonly settled?: () => void;
  /** Its gate has opened, and everything that waited for it has started. */
  readonly opened?: (node: PlanNode) => void;
  /** Nothing more is started. */
  readonly stopped?: () => void;
  /** Unfinished nodes are abandoned. */
  readonly over?: () => void;
}

export class PlanWalk {
  readonly schedule: Schedule;
  readonly #parts: WalkParts;
  readonly #wakes = new Set<() => void>();
  /** Started and not ended, with the seconds that they waited. */
  readonly #running = new Map<string, { readonly node: PlanNode; readonly wait: number }>();
  readonly #appearing = new Set<string>();
  readonly #dwelling = new Set<string>();
  /** Open already, while they are performed to their end: they take no slot. */
  readonly #early = new Set<string>();
  #startedAt = 0;
  #stopReason: string | undefined;
  /** Results of abandoned nodes no longer belong to this run. */
  #isOver = false;
  #finish: () => void = () => {};

  constructor(parts: WalkParts) {
    this.#parts = parts;
    this.schedule = new Schedule(parts.plan, parts.rank);
  }

  readonly emit: Emit = (event) => {
    if (!this.#isOver) this.#parts.emit(event);
  };

  /** Resolves when every node has ended, or the rest is abandoned. */
  async run(abandoned: Promise<void>): Promise<void> {
    this.#startedAt = this.#parts.clock.monotonic();
    const end = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.proceed();
    await Promise.race([end, abandoned]);
    this.#parts.over?.();
    for (const { node, wait } of [...this.#running.values()]) {
      this.#ended(node, wait, lostResult(node, new Abandoned(), this.#stopReason));
    }
    for (const node of this.#parts.plan.nodes) {
      if (this.schedule.state(node.id) === 'shut')
        this.failed(node, { node: node.id, message: 'no longer passes its gate' });
    }
    this.#isOver = true;
  }

  /** Starts nothing more; operations in progress continue to their end. */
  stop(message: string): void {
    this.#stopReason ??= message;
    for (const id of this.schedule.stop({ node: THE_RUN, message })) this.#skipped(id);
    this.#parts.stopped?.();
    this.proceed();
  }

  /** No node is active: every running one waits for its Application, or is open already. */
  get isIdle(): boolean {
    return this.#running.size <= this.#appearing.size + this.#early.size;
  }

  /** Nothing is left to start, and every running node is open already. */
  get isNearlyOver(): boolean {
    return this.schedule.isOver() && this.#running.size === this.#early.size;
  }

  /** Nodes that wait only for nodes that are open, or nearly open. */
  nearlyReady(): PlanNode[] {
    return this.schedule.nearlyReady(this.#dwelling);
  }

  /** Its gate had opened, and does not open again. */
  failed(node: PlanNode, cause: Cause): void {
    if (this.#isOver) return;
    this.emit({ ...NOTHING_DONE, node: node.id, outcome: 'failed', cause });
    this.#fail(node, cause);
  }

  /** Starts every node that may start. */
  proceed(): void {
    const { slots } = this.#parts;
    for (const wake of [...this.#wakes]) wake();
    slots.admit();
    for (let again = true; again; ) {
      again = false;
      for (const node of slots.inOrder(this.schedule.ready())) {
        if (node.application === null) {
          this.schedule.open(node.id);
          this.#parts.joined?.(node);
          again = true;
        } else if (slots.isFreeFor(node.id)) this.#start(node);
      }
    }
    this.#parts.settled?.();
    if (this.schedule.isOver() && this.#running.size === 0) this.#finish();
  }

  #start(node: PlanNode): void {
    this.schedule.start(node.id);
    const wait = (this.#parts.clock.monotonic() - this.#startedAt) / 1000;
    this.#running.set(node.id, { node, wait });
    this.#parts.slots.take(node.id);
    this.emit({ type: 'node.started', node: node.id, application: node.application });
    const visit: Visit = {
      node,
      emit: this.emit,
      entered: (stage) => this.#entered(node, stage),
      openEarly: () => this.#openEarly(node),
      awaitSlot: (signal) => this.#parts.slots.wait(node.id, signal),
      dependenciesReady: (signal) => this.#dependenciesReady(node, signal),
    };
    void this.#parts.perform(visit).then(
      (result) => this.#ended(node, wait, result),
      (error: unknown) => this.#ended(node, wait, lostResult(node, error, this.#stopReason)),
    );
  }

  #entered({ id }: PlanNode, stage: NodeStage): void {
    if (this.#isOver || !this.#running.has(id)) return;
    if (stage === 'appearing') this.#appearing.add(id);
    else this.#appearing.delete(id);
    if (stage === 'appearing' || stage === 'asking') this.#parts.slots.giveBack(id);
    if (stage === 'requested') {
      this.schedule.asked(id);
      return;
    }
    if (stage === 'dwelling') this.#dwelling.add(id);
    else this.#dwelling.delete(id);
    this.proceed();
  }

  #openEarly(node: PlanNode): void {
    if (this.#early.has(node.id) || this.#isOver) return;
    this.#early.add(node.id);
    this.#parts.slots.giveBack(node.id);
    this.schedule.asked(node.id);
    this.schedule.open(node.id);
    this.emit({ type: 'gate.opened', node: node.id, evidence: null });
    this.proceed();
  }

  /** Minutes can pass between a node's start and its request; a dependency may become unhealthy meanwhile. */
  async #dependenciesReady(node: PlanNode, signal: AbortSignal): Promise<void> {
    for (;;) {
      const found = this.schedule.dependencies(node.id);
      if (found === 'open') return;
      if (found !== 'shut') throw dependencyFell(found);
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

  #ended(node: PlanNode, wait: number, result: NodeResult): void {
    if (this.#isOver || !this.#running.delete(node.id)) return;
    this.schedule.asked(node.id);
    this.#appearing.delete(node.id);
    this.#dwelling.delete(node.id);
    this.#parts.slots.giveBack(node.id);
    const isEarly = this.#early.delete(node.id);
    const { evidence, durations, ...rest } = result;
    const { outcome, cause } = rest;
    if (isThrough(outcome) && !isEarly) this.emit({ type: 'gate.opened', node: node.id, evidence });
    const times = { wait: Math.round(wait * 1000) / 1000, ...durations };
    this.emit({ type: 'node.finished', node: node.id, ...rest, durations: times });
    const isGood = isThrough(outcome) || outcome === 'removed';
    if (isGood && !isEarly) this.schedule.open(node.id);
    this.#parts.ended?.(node, result);
    if (isGood) {
      this.proceed();
      this.#parts.opened?.(node);
    } else this.#fail(node, cause ?? { node: node.id, message: 'failed' });
  }

  #fail(node: PlanNode, cause: Cause): void {
    for (const id of this.schedule.fail(node.id, cause)) this.#skipped(id);
    this.proceed();
  }

  #skipped(id: string): void {
    this.#parts.skipped?.(this.schedule.node(id));
    this.emit({ ...NOTHING_DONE, node: id, outcome: 'skipped', cause: this.schedule.cause(id) });
  }
}
