// A run of a teardown from its beginning to its end, in this process: ownership, hold, makers, nodes, what no Application
// has, record.
import { TiphysError } from '../../errors.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { type ResourceName, renderResource } from '../../run/application-view.ts';
import { exitStatusOf } from '../../run/exit-status.ts';
import { Abandoned, type NodeContext } from '../../run/node-context.ts';
import type { Removal } from '../../run/removal.ts';
import type { Report } from '../../run/report.ts';
import { outcomesOf } from '../../run/tally.ts';
import type { Watch } from '../../run/target.ts';
import { forgetApproval, keepApproval } from '../approval.ts';
import { findLeftovers } from '../find-leftovers.ts';
import { interrupted } from '../interrupted.ts';
import { addressOf } from '../node-address.ts';
import { keyOf, namespacesOf } from '../preflight.ts';
import { withUnexpected } from '../unexpected.ts';
import { ClaimSnapshots } from './claim-snapshots.ts';
import { CleanUp } from './clean-up.ts';
import { Demolition } from './demolition.ts';
import { stopMakers } from './makers.ts';
import { asOneRun, type RunFrame, type RunRequest } from './run-frame.ts';
import type { RunHold } from './run-hold.ts';

export interface TeardownRequest extends RunRequest {
  /** The teardown of the whole platform. */
  readonly whole: Plan;
  /** The deployment of the whole platform: what is held is named as there. */
  readonly deployment: Plan;
  /** As it was approved. Nothing is deleted that is not in it. */
  readonly approved: Inventory;
  /** Seconds without any progress after which something hangs. */
  readonly stuckAfter: number;
  /** Applications from whose objects finalizers are taken where these hang. */
  readonly unsafe: ReadonlySet<string>;
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
    const { makers, snapshots } = request.approved;
    this.#snapshots = new ClaimSnapshots(request.target.snapshots, snapshots);
    this.#makers = new Set(
      makers.filter(({ kind }) => kind === 'Application').map(({ name }) => name),
    );
  }

  async run(): Promise<void> {
    const { plan, whole, concurrency, approved, target } = this.#request;
    const frame = this.#frame;
    frame.begin();
    const held = this.#heldPlan();
    const watch = await frame.watch(namespacesOf(held));
    const hold = this.#hold(held, watch);
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
          removalOf: (node) => this.#removal(node),
        }),
    );
    await this.#end();
    await frame.settle();
    await this.#finish(hold);
  }

  /** The scope, and every parent, in it or not. */
  #heldPlan(): Plan {
    const { plan, deployment } = this.#request;
    const names = new Set([
      ...plan.nodes.flatMap(({ application }) => application ?? []),
      ...this.#makers,
    ]);
    const nodes = deployment.nodes.filter(({ application }) => names.has(application ?? ''));
    return { ...deployment, nodes };
  }

  #hold(plan: Plan, watch: Watch): RunHold {
    const found = new Map(
      plan.nodes.flatMap((node) => {
        const view = node.application === null ? undefined : watch.last(addressOf(node));
        return view ? [[keyOf(node), view] as const] : [];
      }),
    );
    const leavesWindows = (name: string) =>
      [...found.values()].some((view) => view.name === name && view.leavesWindows);
    return this.#frame.holdOn(watch, { plan, found, leavesWindows, keep: true });
  }

  #removal(node: PlanNode): Removal {
    const { approved, target, stuckAfter, unsafe } = this.#request;
    const found = approved.applications.find(({ id }) => id === node.id);
    const servers = new Map(
      found?.finalizers.map(({ resource, servedBy }) => [renderResource(resource), servedBy]),
    );
    return {
      uid: found?.uid,
      resources: (found?.deletes ?? []).filter(({ name }) => !name.endsWith('*')),
      servedBy: (resource: ResourceName) => servers.get(renderResource(resource)) ?? [],
      prepare: (context) => this.#snapshots.ensure(context),
      ...{ objects: target.objects, stuckAfter, unsafe: unsafe.has(node.application ?? '') },
    };
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

  /** What went is gone, whatever can be said of the rest. */
  async #end(): Promise<void> {
    if (this.#frame.end !== 'done') return;
    try {
      await this.#cleanUp();
      this.#isLookedAt = true;
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      this.#frame.warn(`what is left could not be looked at: ${error.message}`);
    }
  }

  /** What no Application has goes when all are gone that may need it. Then it is told what is left. */
  async #cleanUp(): Promise<void> {
    const { approved, target, clock, stuckAfter, leave } = this.#request;
    const frame = this.#frame;
    const { nodes } = frame.state;
    const isGone = (id: string) => nodes.get(id)?.outcome === 'removed';
    const cleanUp = new CleanUp({
      ...{ approved, objects: target.objects, clock, stuckAfter, emit: frame.emit, isGone },
      ...{ permit: () => frame.permit(), signal: leave },
    });
    const kept = [...(await cleanUp.run()), ...this.#snapshots.taken];
    const known = new Set(kept.map(({ resource }) => renderResource(resource)));
    const found = (await findLeftovers(approved, target)).filter(
      ({ resource }) => !known.has(renderResource(resource)),
    );
    for (const one of [...kept, ...found]) frame.emit({ type: 'object.left', ...one });
  }

  async #finish(hold: RunHold): Promise<void> {
    const { plan, target } = this.#request;
    const frame = this.#frame;
    const outcomes = outcomesOf(plan, frame.state.nodes);
    const status = exitStatusOf({ outcomes, end: frame.end });
    const isClean = this.#isLookedAt && frame.state.leftovers.every(({ announced }) => announced);
    // Something is left, however little went.
    const left = status === 1 || (status === 0 && !isClean);
    if (status === 0 && isClean && frame.mayWrite()) {
      await forgetApproval(target.store, plan.platform);
    }
    frame.finish(left ? 2 : status, hold.heldNodes());
  }
}
