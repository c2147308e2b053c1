// A deployment in this process: starts a node the moment the gate of its last dependency opens. It owns no knowledge of
// order (`Schedule`) nor of what is done at a node (`src/node`); it puts the two together and tells what happens.

import { TiphysError } from '../../errors.ts';
import type { NodeContext } from '../../node/node-context.ts';
import { DWELL } from '../../node/pass-gate.ts';
import type { NodeResult } from '../../node/progress.ts';
import { runApplication } from '../../node/run-node.ts';
import { closeParent, openParent } from '../../node/run-parent.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { rankFor } from '../../report/makespan.ts';
import { type Cause, type Emit, type EventBody, isThrough, THE_RUN } from '../../run/events.ts';
import { Schedule } from '../../run/schedule.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { RequiredGate } from '../inspect/required-gates.ts';
import { lostResult, NOTHING_DONE } from '../node-results.ts';
import { Slots } from '../slots.ts';
import { GateKeeper } from './gate-keeper.ts';
import { countLeftOperations } from './left-operations.ts';
import { openOutside, withOutside } from './outside-scope.ts';
import { Parents } from './parents.ts';
import { Preparations } from './preparations.ts';

export interface DeploymentParts {
  readonly plan: Plan;
  /** Outside of it, with their gates open. */
  readonly required: readonly RequiredGate[];
  /** For one node, with the emit that it must use. */
  readonly contextOf: (node: PlanNode, emit: Emit) => NodeContext;
  readonly emit: Emit;
  readonly concurrency: number;
  /** Called when a node is started; what it returns, when its request was sent or it turned out to need none. */
  readonly urgent: () => () => void;
  /** Called when a gate has opened and everything that waited for it was started. */
  readonly handOver: (node: PlanNode) => void;
}

export class Deployment {
  readonly #parts: DeploymentParts;
  readonly #schedule: Schedule;
  readonly #gates: GateKeeper;
  readonly #parents: Parents;
  readonly #prepared = new Preparations();
  /** In their dwell: their gates are as good as open. */
  readonly #dwelling = new Set<string>();
  readonly #wakes = new Set<() => void>();
  /** Their Applications do not exist yet. */
  readonly #appearing = new Set<string>();
  readonly #slots: Slots;
  /** Started and not ended, with the seconds that they waited. */
  readonly #running = new Map<string, { node: PlanNode; wait: number }>();
  /** Opens whose members may start, while their operations are still watched: they take no slot either. */
  readonly #watched = new Set<string>();
  #startedAt = 0;
  #stopped: string | undefined;
  /** What still comes of abandoned nodes is not this run's any more. */
  #isOver = false;
  #finish: () => void = () => {};

  constructor(parts: DeploymentParts) {
    this.#parts = parts;
    const { plan, required, concurrency } = parts;
    this.#schedule = new Schedule(withOutside(plan, required), rankFor(plan, concurrency));
    this.#parents = new Parents(parts.plan);
    this.#slots = new Slots(parts.concurrency);
    this.#gates = new GateKeeper(this.#schedule, {
      contextOf: parts.contextOf,
      // An answer that was waited for may come after the end.
      emit: (event) => {
        if (!this.#isOver) parts.emit(event);
      },
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
    for (const id of openOutside(this.#parts.required)) this.#schedule.open(id);
    for (const { node, evidence } of this.#parts.required) this.#gates.watch(node, evidence);
    countLeftOperations(this.#parts, this.#slots, () => this.#pump());
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
    // What would wait for members that are not started any more.
    this.#parents.relieveAll();
    this.#pump();
  }

  #pump(): void {
    for (const wake of [...this.#wakes]) wake();
    this.#slots.admit();
    for (let again = true; again; ) {
      again = false;
      for (const node of this.#slots.inOrder(this.#schedule.ready())) {
        if (node.application === null) {
          this.#join(node);
          again = true;
        } else if (this.#slots.isFreeFor(node.id)) {
          this.#start(node);
        }
      }
    }
    for (const node of this.#schedule.nearlyReady(this.#dwelling)) {
      if (this.#prepared.isFor(node)) this.#prepared.add(this.#parts.contextOf(node, () => {}));
    }
    if (!this.#schedule.isOver()) return;
    // A part of the platform may have no close that goes on with an operation.
    if (this.#running.size === this.#watched.size) this.#parents.relieveAll();
    if (this.#running.size === 0) this.#finish();
  }

  /**
   * Nobody is at work, and the parent that is to make the node has made something else before that is not Healthy and
   * waits for the node: the parent waits for that in turn.
   */
  #contradiction(node: PlanNode): string | undefined {
    if (this.#running.size > this.#appearing.size + this.#watched.size) return undefined;
    const made = this.#schedule.waitingFor(node.id).find((other) => {
      if (other.kind === 'close' || other.application === null) return false;
      const { watch, address } = this.#parts.contextOf(other, () => {});
      const view = watch.last(address);
      const stuck = view !== undefined && view.health.status !== 'Healthy';
      return stuck && this.#parents.haveOneMaker(node, other);
    });
    return made?.application ?? undefined;
  }

  #join(node: PlanNode): void {
    this.#schedule.open(node.id);
    this.#parts.emit({ type: 'gate.opened', node: node.id, evidence: null });
  }

  #start(node: PlanNode): void {
    this.#schedule.start(node.id);
    const calm = this.#parts.urgent();
    const given = this.#parts.contextOf(node, this.#emitOf(node, calm));
    const context: NodeContext = {
      ...this.#prepared.withWindows(given),
      ready: () => {
        if (this.#schedule.asks(node.id)) this.#gates.lookAgain();
        return this.#dependenciesOpen(node, context.signal);
      },
      claim: async () => {
        await this.#slots.wait(node.id, given.signal);
        await given.claim();
      },
      maker: this.#parents.makerOf(node, () => this.#contradiction(node)),
      parent: node.kind === 'open' ? this.#parentParts(node, calm) : undefined,
    };
    const wait = (context.clock.monotonic() - this.#startedAt) / 1000;
    this.#running.set(node.id, { node, wait });
    this.#slots.take(node.id);
    this.#parts.emit({ type: 'node.started', node: node.id, application: node.application });
    void this.#program(node, context)
      .finally(calm)
      .then(
        (result) => this.#ended(node, wait, result),
        (error: unknown) => this.#ended(node, wait, lostResult(node, error, this.#stopped)),
      );
  }

  #parentParts(node: PlanNode, calm: () => void): NodeContext['parent'] {
    const opened = () => {
      if (this.#watched.has(node.id) || this.#isOver) return;
      this.#watched.add(node.id);
      this.#slots.giveBack(node.id);
      calm();
      this.#schedule.asked(node.id);
      this.#schedule.open(node.id);
      this.#parts.emit({ type: 'gate.opened', node: node.id, evidence: null });
      this.#pump();
    };
    return { opened, relieved: this.#parents.begin(node) };
  }

  async #program(node: PlanNode, context: NodeContext): Promise<NodeResult> {
    if (node.kind === 'open') return await openParent(context);
    if (node.kind === 'close') {
      await this.#parents.relieve(node);
      return await closeParent(context);
    }
    return await runApplication(context, () => this.#prepared.observation(context));
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
      if (!exists) this.#slots.giveBack(node.id);
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
    this.#slots.giveBack(node.id);
    this.#dwelling.delete(node.id);
    const { outcome, cause, evidence, durations, ...rest } = result;
    const opened = isThrough(outcome);
    const isNews = !this.#watched.delete(node.id);
    if (node.kind === 'open') this.#parents.end(node, opened ? undefined : cause);
    if (opened && isNews) this.#parts.emit({ type: 'gate.opened', node: node.id, evidence });
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
      if (isNews) this.#schedule.open(node.id);
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
    const node = this.#schedule.node(id);
    if (node.kind === 'close') void this.#parents.relieve(node);
    this.#parts.emit({ ...NOTHING_DONE, node: id, outcome: 'skipped', cause });
  }
}
