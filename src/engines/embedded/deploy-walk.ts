// A deployment in this process: the walk over its plan, with everything a deployment does at and between its nodes. It
// watches open gates, watches parents while they create their members, and looks ahead at the next nodes.
import { contextFor, type NodeParts, onlyLooks } from '../../node/context-for.ts';
import { judgedOf } from '../../node/generated-members.ts';
import {
  ALONE,
  type NodeContext,
  type NodeInWalk,
  type NodeStage,
} from '../../node/node-context.ts';
import type { NodeResult } from '../../node/progress.ts';
import { runGenerated } from '../../node/run-generated.ts';
import { runApplication } from '../../node/run-node.ts';
import { closeParent, openParent } from '../../node/run-parent.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import { rankFor } from '../../report/makespan.ts';
import { isThrough } from '../../run/events.ts';
import { viewsOf } from '../../session/hold/own-operations.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import type { Session } from '../../session/session.ts';
import type { CheckedCluster } from '../check-cluster.ts';
import type { RequiredGate } from '../inspect/required-gates.ts';
import { judgeAtEnd } from '../judge-at-end.ts';
import { Slots } from '../slots.ts';
import { PlanWalk, type Visit } from '../walk-plan.ts';
import { untilReady, whyNotBegun } from './approvals-before.ts';
import { GateMonitor } from './gate-monitor.ts';
import { countLeftOperations } from './left-operations.ts';
import { openOutside, withOutside } from './outside-scope.ts';
import { Parents } from './parents.ts';
import { Preparations } from './preparations.ts';
import type { JudgeEnd } from './run-frame.ts';

export interface DeployWalkParts {
  readonly plan: Plan;
  /** Gates outside the scope, which are open. */
  readonly required: readonly RequiredGate[];
  readonly concurrency: number;
  readonly found: CheckedCluster;
  readonly session: Session;
  readonly watch: Watch;
  readonly hold: RunHold;
  /** Everything ends immediately. */
  readonly signal: AbortSignal;
}

export class DeployWalk {
  readonly #parts: DeployWalkParts;
  readonly #walk: PlanWalk;
  readonly #gates: GateMonitor;
  readonly #parents: Parents;
  readonly #prepared = new Preparations();
  readonly #slots: Slots;
  readonly #stopping = new AbortController();

  constructor(parts: DeployWalkParts) {
    this.#parts = parts;
    const { plan, required, concurrency, session } = parts;
    const { clock, emit } = session;
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
      // After a stop, the end of a parent's sync is unknown.
      opened: (node) => {
        if (node.kind !== 'open' || !this.#stopping.signal.aborted) parts.hold.handOver(node);
      },
      stopped: () => {
        this.#gates.stop();
        this.#stopping.abort();
        // Nodes that would wait for members that will not start any more.
        this.#parents.relieveAll();
      },
      over: () => this.#gates.close(),
    });
    this.#gates = new GateMonitor(this.#walk, this.#contextOf);
  }

  async run(abandoned: Promise<void>): Promise<void> {
    const { plan, required } = this.#parts;
    for (const id of openOutside(required)) this.#walk.schedule.open(id);
    for (const { judged } of required) for (const one of judged) this.#gates.watch(one);
    countLeftOperations(plan, this.#contextOf, this.#slots, () => this.#walk.proceed());
    await this.#walk.run(abandoned);
  }

  /** Starts nothing more; operations in progress continue to their end. */
  stop(reason: string): void {
    this.#walk.stop(reason);
  }

  async judge({ signal, emit }: JudgeEnd): Promise<void> {
    const { plan, session } = this.#parts;
    const contextOf = async (node: PlanNode) => this.#contextOf(node, { signal });
    await judgeAtEnd({ plan, session, emit, contextOf });
  }

  #settled(): void {
    for (const node of this.#walk.nearlyReady()) this.#prepared.add(node, this.#contextOf);
    // A part of the platform may not include the close that continues an operation.
    if (this.#walk.isNearlyOver) this.#parents.relieveAll();
  }

  async #perform(visit: Visit): Promise<NodeResult> {
    const { node } = visit;
    const notBegun = await whyNotBegun(visit, this.#walk.schedule, this.#gates, this.#parts.signal);
    if (notBegun) {
      if (node.kind === 'close') void this.#parents.relieve(node);
      return notBegun;
    }
    // Until its request was sent, or it needs none.
    const resumeWrites = this.#parts.hold.pauseWrites();
    try {
      return await this.#program(this.#contextIn(visit, resumeWrites));
    } finally {
      resumeWrites();
    }
  }

  /** For one node; without its own parts it only looks, and reports nothing. */
  readonly #contextOf = (node: PlanNode, own: Partial<NodeParts> = {}): NodeContext => {
    const { session, watch, signal, hold, found } = this.#parts;
    return contextFor({
      session,
      node,
      watch,
      signal,
      emit: () => {},
      dependenciesReady: onlyLooks,
      held: () => hold.ensure(),
      projectWindows: found.projects.get(node.argocd?.project ?? '')?.windows,
      walk: { ...ALONE, isExpected: this.#isExpected },
      ...own,
    });
  };

  readonly #isExpected = (application: string): boolean =>
    !this.#parts.found.unexpected.some(({ name }) => name === application);

  #contextIn(visit: Visit, resumeWrites: () => void): NodeContext {
    const { node } = visit;
    const { session, signal, hold } = this.#parts;
    const entered = (stage: NodeStage) => {
      if (stage !== 'requested') resumeWrites();
      visit.entered(stage);
    };
    return this.#contextOf(node, {
      emit: visit.emit,
      dependenciesReady: async () => {
        const { schedule } = this.#walk;
        if (schedule.asks(node.id)) this.#gates.lookAgain();
        await untilReady({ ...visit, entered }, schedule, this.#gates, signal);
      },
      ensureHold: async () => {
        await visit.awaitSlot(signal);
        await hold.ensure();
      },
      syncWindows: this.#prepared.windowsOf(node, session.clock),
      walk: {
        entered,
        maker: this.#parents.makerOf(node, () => this.#contradiction(node)),
        parent: node.kind === 'open' ? this.#parentParts(visit, resumeWrites) : undefined,
        isExpected: this.#isExpected,
        stopping: this.#stopping.signal,
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

  async #program(context: NodeContext): Promise<NodeResult> {
    const { node } = context;
    if (node.kind === 'open') return await openParent(context);
    if (node.kind === 'close') {
      await this.#parents.relieve(node);
      return await closeParent(context);
    }
    if (node.generated) {
      this.#parts.hold.turn(node);
      return await runGenerated(context);
    }
    return await runApplication(context, () => this.#prepared.observation(context));
  }

  #ended(node: PlanNode, { outcome, cause, evidence, members }: NodeResult): void {
    const isOpen = isThrough(outcome);
    if (node.kind === 'open') this.#parents.end(node, isOpen ? undefined : cause);
    else if (isOpen) for (const one of judgedOf(node, evidence, members)) this.#gates.watch(one);
  }

  /**
   * No node is active, and the parent that creates the node has already created something that is not Healthy: something
   * that waits for the node, or a parent of such. The parent of both waits for that in turn.
   */
  #contradiction(node: PlanNode): string | undefined {
    if (!this.#walk.isIdle) return undefined;
    const waiting = this.#walk.schedule
      .waitingFor(node.id)
      .filter(({ kind, application }) => kind !== 'close' && application !== null);
    const made = waiting.map((other) => this.#parents.besideWith(node, other));
    const stuck = made.find((one) => one && this.#isStuck(one));
    return stuck?.application ?? undefined;
  }

  #isStuck(node: PlanNode): boolean {
    return viewsOf(node, this.#parts.watch).some(({ health }) => health.status !== 'Healthy');
  }
}
