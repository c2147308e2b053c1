// A deployment in this process: the walk over its plan, with what a deployment has at and between its nodes. Gates that have
// opened are kept in sight, parents are watched while they make their members, and what comes next is looked at ahead.
import type { NodeParts } from '../../node/context-for.ts';
import type { NodeContext, NodeInWalk } from '../../node/node-context.ts';
import type { NodeResult } from '../../node/progress.ts';
import { runApplication } from '../../node/run-node.ts';
import { closeParent, openParent } from '../../node/run-parent.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import { rankFor } from '../../report/makespan.ts';
import { type Emit, isThrough } from '../../run/events.ts';
import type { RequiredGate } from '../inspect/required-gates.ts';
import { Slots } from '../slots.ts';
import { PlanWalk, type Visit } from '../walk-plan.ts';
import { GateMonitor } from './gate-monitor.ts';
import { countLeftOperations } from './left-operations.ts';
import { openOutside, withOutside } from './outside-scope.ts';
import { Parents } from './parents.ts';
import { Preparations } from './preparations.ts';

/** What the walk gives to a node's context. */
export type WalkedParts = Partial<
  Pick<NodeParts, 'emit' | 'dependenciesReady' | 'ensureHold' | 'syncWindows'>
> & { readonly walk?: Omit<NodeInWalk, 'isExpected'> };

export interface DeployWalkParts {
  readonly plan: Plan;
  /** Outside of it, with their gates open. */
  readonly required: readonly RequiredGate[];
  /** Of one node; without the walk's own parts it is for looking only, and says nothing. */
  readonly contextOf: (node: PlanNode, walked?: WalkedParts) => NodeContext;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  /** What syncs by itself is held. */
  readonly ensureHold: () => Promise<void>;
  /** Called when a node is started; what it returns, when its request was sent or it turned out to need none. */
  readonly pauseWrites: () => () => void;
  /** Called when a gate has opened and everything that waited for it was started. */
  readonly handOver: (node: PlanNode) => void;
}

export class DeployWalk {
  readonly #parts: DeployWalkParts;
  readonly #walk: PlanWalk;
  readonly #gates: GateMonitor;
  readonly #parents: Parents;
  readonly #prepared = new Preparations();
  readonly #slots: Slots;

  constructor(parts: DeployWalkParts) {
    this.#parts = parts;
    const { plan, required, concurrency, clock, emit } = parts;
    this.#parents = new Parents(plan);
    this.#slots = new Slots(concurrency);
    this.#walk = new PlanWalk({
      plan: withOutside(plan, required),
      rank: rankFor(plan, concurrency),
      slots: this.#slots,
      clock,
      emit,
      perform: (visit) => this.#perform(visit),
      joined: ({ id }) => emit({ type: 'gate.opened', node: id, evidence: null }),
      ended: (node, result) => this.#ended(node, result),
      skipped: (node) => {
        if (node.kind === 'close') void this.#parents.relieve(node);
      },
      settled: () => this.#settled(),
      opened: (node) => parts.handOver(node),
      stopped: () => this.#stopped(),
      over: () => this.#gates.close(),
    });
    this.#gates = new GateMonitor(this.#walk.schedule, {
      contextOf: parts.contextOf,
      emit: this.#walk.emit,
      changed: () => this.#walk.proceed(),
      failed: (node, cause) => this.#walk.failed(node, cause),
    });
  }

  async run(abandoned: Promise<void>): Promise<void> {
    const { required } = this.#parts;
    for (const id of openOutside(required)) this.#walk.schedule.open(id);
    for (const { node, evidence } of required) this.#gates.watch(node, evidence);
    countLeftOperations(this.#parts, this.#slots, () => this.#walk.proceed());
    await this.#walk.run(abandoned);
  }

  /** Starts nothing more; what is in flight goes on to its end. */
  stop(reason: string): void {
    this.#walk.stop(reason);
  }

  #stopped(): void {
    this.#gates.stop();
    // What would wait for members that are not started any more.
    this.#parents.relieveAll();
  }

  #settled(): void {
    for (const node of this.#walk.nearlyReady()) {
      if (this.#prepared.isFor(node)) this.#prepared.add(this.#parts.contextOf(node));
    }
    // A part of the platform may have no close that goes on with an operation.
    if (this.#walk.isNearlyOver) this.#parents.relieveAll();
  }

  async #perform(visit: Visit): Promise<NodeResult> {
    const { node } = visit;
    const resumeWrites = this.#parts.pauseWrites();
    try {
      return await this.#program(this.#contextOf(visit, resumeWrites), node);
    } finally {
      resumeWrites();
    }
  }

  #contextOf(visit: Visit, resumeWrites: () => void): NodeContext {
    const { node } = visit;
    const { clock, signal, ensureHold } = this.#parts;
    return this.#parts.contextOf(node, {
      emit: visit.emit,
      dependenciesReady: () => {
        if (this.#walk.schedule.asks(node.id)) this.#gates.lookAgain();
        return visit.dependenciesReady(signal);
      },
      ensureHold: async () => {
        await visit.awaitSlot(signal);
        await ensureHold();
      },
      syncWindows: this.#prepared.windowsOf(node, clock),
      walk: {
        entered: (stage) => {
          if (stage !== 'requested') resumeWrites();
          visit.entered(stage);
        },
        maker: this.#parents.makerOf(node, () => this.#contradiction(node)),
        parent: node.kind === 'open' ? this.#parentParts(visit, resumeWrites) : undefined,
      },
    });
  }

  #parentParts({ node, openEarly }: Visit, resumeWrites: () => void): NodeInWalk['parent'] {
    const opened = () => {
      resumeWrites();
      openEarly();
    };
    return { opened, relieved: this.#parents.begin(node) };
  }

  async #program(context: NodeContext, node: PlanNode): Promise<NodeResult> {
    if (node.kind === 'open') return await openParent(context);
    if (node.kind === 'close') {
      await this.#parents.relieve(node);
      return await closeParent(context);
    }
    return await runApplication(context, () => this.#prepared.observation(context));
  }

  #ended(node: PlanNode, { outcome, cause, evidence }: NodeResult): void {
    const isOpen = isThrough(outcome);
    if (node.kind === 'open') this.#parents.end(node, isOpen ? undefined : cause);
    else if (isOpen && evidence) this.#gates.watch(node, evidence);
  }

  /**
   * Nobody is at work, and the parent that is to make the node has made something else before that is not Healthy and
   * waits for the node: the parent waits for that in turn.
   */
  #contradiction(node: PlanNode): string | undefined {
    if (!this.#walk.isIdle) return undefined;
    const made = this.#walk.schedule.waitingFor(node.id).find((other) => {
      if (other.kind === 'close' || other.application === null) return false;
      const view = this.#parts.contextOf(other).watch.last(addressOf(other));
      const isStuck = view !== undefined && view.health.status !== 'Healthy';
      return isStuck && this.#parents.haveOneMaker(node, other);
    });
    return made?.application ?? undefined;
  }
}
