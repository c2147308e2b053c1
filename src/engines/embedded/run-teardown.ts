// A run of a teardown from its beginning to its end, in this process: ownership, hold, makers, nodes, what no Application
// has, record.

import { contextFor } from '../../node/context-for.ts';
import type { NodeContext } from '../../node/node-context.ts';
import { FRESH_MS } from '../../node/remove-node.ts';
import { namespacesOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Report } from '../../report/run-report.ts';
import { outcomesOf } from '../../report/tally.ts';
import type { Emit } from '../../run/events.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { foundBy } from '../../session/hold/hold-found.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import { forgetApproval, keepApproval } from '../teardown/approval.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { stopMakers } from '../teardown/stop-makers.ts';
import { lookAtTheRest, teardownStatus } from '../teardown/teardown-end.ts';
import {
  dependentsGone,
  heldPlan,
  parentsThatMake,
  removalOf,
  type TeardownSpec,
} from '../teardown/teardown-spec.ts';
import { withUnexpected } from '../unexpected.ts';
import { asOneRun, type RunFrame, type RunRequest } from './run-frame.ts';
import { teardownWalk } from './teardown-walk.ts';

export interface TeardownRequest extends RunRequest, TeardownSpec {
  /** The teardown of the whole platform. */
  readonly whole: Plan;
}

export async function teardown(request: TeardownRequest): Promise<Report> {
  const { approved } = request;
  const plan = withUnexpected(request.plan, approved.unexpected);
  const whole = withUnexpected(request.whole, approved.unexpected);
  const all = { ...request, plan, whole };
  // The run that goes on with a teardown must be of the same approval.
  return await asOneRun(all, approved.hash, (frame) => new TeardownRun(all, frame).run());
}

class TeardownRun {
  readonly #request: TeardownRequest;
  readonly #frame: RunFrame;
  readonly #snapshots: ClaimSnapshots;
  #isLookedAt = false;
  /** Whatever makes Applications again. */
  readonly #makers: ReadonlySet<string>;

  constructor(request: TeardownRequest, frame: RunFrame) {
    this.#request = request;
    this.#frame = frame;
    const { approved, target } = request;
    this.#snapshots = new ClaimSnapshots(target.snapshots, approved.snapshots);
    this.#makers = parentsThatMake(request);
  }

  async run(): Promise<void> {
    const { plan, concurrency, clock, target } = this.#request;
    const frame = this.#frame;
    const { session } = frame;
    frame.begin();
    const held = heldPlan(plan, this.#request);
    const watch = await session.watch(namespacesOf(held));
    const hold = frame.holdOn(watch, { ...foundBy(watch, held), plan: held, keep: true });
    const isReady = await frame.prepare((signal) => this.#prepare(hold, signal));
    if (!isReady && session.lost.aborted) throw session.lost.reason;
    if (!isReady && frame.end !== 'time-up') throw interrupted('Nothing was deleted.');
    await frame.through((signal) =>
      teardownWalk({
        plan,
        concurrency,
        clock,
        emit: session.emit,
        contextOf: (node, emit) => this.#context(node, emit, watch, hold, signal),
        removalOf: (node) => removalOf(node, this.#request, target, this.#snapshots),
      }),
    );
    await this.#end();
    await frame.settle();
    await this.#finish(hold);
  }

  /** Whatever could make an Application again is kept from it before the first one goes. */
  async #prepare(hold: RunHold, ending: AbortSignal): Promise<void> {
    const { approved } = this.#request;
    const { session } = this.#frame;
    await hold.prepare();
    await hold.ensure();
    await keepApproval(session, approved);
    const held = () => hold.untilHeld(this.#makers);
    await held();
    const signal = AbortSignal.any([ending, session.lost]);
    const writes = session.writes({ dependenciesReady: async () => {}, held, signal });
    await stopMakers(approved.makers, { ...this.#request, stop: ending, writes });
  }

  #context(
    node: PlanNode,
    emit: Emit,
    watch: Watch,
    hold: RunHold,
    signal: AbortSignal,
  ): NodeContext {
    const { session } = this.#frame;
    const { whole } = this.#request;
    const names = new Set([node.application ?? '', ...this.#makers]);
    return contextFor({
      session,
      node,
      watch,
      emit,
      signal,
      dependenciesReady: () => dependentsGone(node, whole, session.target.applications),
      held: async () => {
        await hold.untilHeld(names);
        await hold.ensure();
      },
      freshMs: FRESH_MS,
    });
  }

  async #end(): Promise<void> {
    const frame = this.#frame;
    if (frame.end !== 'done') return;
    const { session } = frame;
    const { nodes } = session.state;
    this.#isLookedAt = await lookAtTheRest({
      order: this.#request,
      session,
      signal: AbortSignal.any([this.#request.leave, session.lost]),
      isGone: (id) => nodes.get(id)?.outcome === 'removed',
      held: () => frame.ensureHold(),
      snapshots: this.#snapshots.taken,
    });
  }

  async #finish(hold: RunHold): Promise<void> {
    const { plan } = this.#request;
    const frame = this.#frame;
    const { nodes, leftovers } = frame.session.state;
    const outcomes = outcomesOf(plan, nodes);
    const status = exitStatusOf({ outcomes, end: frame.end });
    const isClean = this.#isLookedAt && leftovers.every(({ announced }) => announced);
    if (status === 0 && isClean) await forgetApproval(frame.session);
    frame.finish(teardownStatus(status, isClean), hold.heldNodes());
  }
}
