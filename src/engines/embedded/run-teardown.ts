// A run of a teardown from its beginning to its end, in this process: ownership, hold, makers, nodes, what no Application
// has, record.

import type { NodeContext } from '../../node/node-context.ts';
import { addressOf, namespacesOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Report } from '../../report/run-report.ts';
import { outcomesOf } from '../../report/tally.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { foundBy } from '../../session/hold/hold-found.ts';
import type { RunHold } from '../../session/hold/run-hold.ts';
import { interrupted } from '../../session/interrupted.ts';
import { forgetApproval, keepApproval } from '../teardown/approval.ts';
import { ClaimSnapshots } from '../teardown/claim-snapshots.ts';
import { stopMakers } from '../teardown/stop-makers.ts';
import { lookAtTheRest, teardownStatus } from '../teardown/teardown-end.ts';
import {
  heldPlan,
  parentsThatMake,
  removalOf,
  type TeardownOrder,
} from '../teardown/teardown-order.ts';
import { withUnexpected } from '../unexpected.ts';
import { Demolition } from './demolition.ts';
import { asOneRun, type RunFrame, type RunRequest } from './run-frame.ts';

export interface TeardownRequest extends RunRequest, TeardownOrder {
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
    const { plan, whole, concurrency, approved, target } = this.#request;
    const frame = this.#frame;
    frame.begin();
    const held = heldPlan(plan, this.#request);
    const watch = await frame.watch(namespacesOf(held));
    const hold = frame.holdOn(watch, { ...foundBy(watch, held), plan: held, keep: true });
    try {
      await hold.prepare();
      await frame.permit();
      await keepApproval(target.store, approved, () => frame.mayWrite());
      // Whatever could make one again is kept from it before the first one goes.
      await hold.untilHeld(this.#makers);
      await stopMakers(approved.makers, { ...this.#request, permit: () => frame.permit() });
    } catch (error) {
      throw error instanceof Abandoned ? interrupted('Nothing was deleted.') : error;
    }
    await frame.through(
      (signal) =>
        new Demolition({
          ...{ plan, whole, concurrency, emit: frame.emit },
          contextOf: (node) => this.#context(node, watch, hold, signal),
          removalOf: (node) => removalOf(node, this.#request, target, this.#snapshots),
        }),
    );
    await this.#end();
    await frame.settle();
    await this.#finish(hold);
  }

  #context(node: PlanNode, watch: Watch, hold: RunHold, signal: AbortSignal): NodeContext {
    const { target, clock } = this.#request;
    const frame = this.#frame;
    const held = new Set([node.application ?? '', ...this.#makers]);
    return {
      run: frame.identity,
      ...{ node, operationNode: node.id, address: addressOf(node), watch, clock, signal },
      ...{ applications: target.applications, emit: frame.emit },
      permit: async () => {
        await hold.untilHeld(held);
        await frame.permit();
      },
      ready: async () => {},
      claim: async () => {},
      ...{ maker: undefined, parent: undefined, isExpected: () => true, blocked: () => undefined },
    };
  }

  async #end(): Promise<void> {
    const frame = this.#frame;
    if (frame.end !== 'done') return;
    const { target, clock, leave } = this.#request;
    const { nodes } = frame.state;
    this.#isLookedAt = await lookAtTheRest({
      ...{ order: this.#request, target, clock, emit: frame.emit, signal: leave },
      isGone: (id) => nodes.get(id)?.outcome === 'removed',
      permit: () => frame.permit(),
      snapshots: this.#snapshots.taken,
    });
  }

  async #finish(hold: RunHold): Promise<void> {
    const { plan, target } = this.#request;
    const frame = this.#frame;
    const outcomes = outcomesOf(plan, frame.state.nodes);
    const status = exitStatusOf({ outcomes, end: frame.end });
    const isClean = this.#isLookedAt && frame.state.leftovers.every(({ announced }) => announced);
    if (status === 0 && isClean && frame.mayWrite()) {
      await forgetApproval(target.store, plan.platform);
    }
    frame.finish(teardownStatus(status, isClean), hold.heldNodes());
  }
}
