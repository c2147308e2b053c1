// The hold as the pod of one node sees it: the beginning put it up, and other pods rely on it too. It is only ever completed
// here, never made smaller.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Clock } from '../../run/clock.ts';
import { holdOf } from '../../run/hold.ts';
import type { Target, Watch } from '../../run/target.ts';
import { isHoldable } from '../held.ts';
import { holdLost } from '../hold-errors.ts';
import type { Lease } from '../lease.ts';
import { addressOf } from '../node-address.ts';
import { podKeeper } from './pod.ts';

export interface OwnHoldParts {
  readonly plan: Plan;
  readonly node: PlanNode;
  readonly run: string;
  readonly target: Target;
  readonly watch: Watch;
  readonly clock: Clock;
  readonly lease: Lease;
}

export class OwnHold {
  readonly #parts: OwnHoldParts;
  #wasThere = false;

  constructor(parts: OwnHoldParts) {
    this.#parts = parts;
  }

  /** Before each write. Throws once it was there and is not any more. */
  async ensure(): Promise<void> {
    const { node, run, plan, target } = this.#parts;
    const isHeld = plan.nodes.some(
      (one) => isHoldable(one) && one.application === node.application,
    );
    // The open of a parent whose close is not part of the plan.
    if (!isHeld) return;
    const project = node.argocd?.project ?? '';
    const view = await target.projects.get(project);
    const hold = view && holdOf(view);
    const isOurs = hold?.platform === plan.platform && hold.run === run && hold.intact;
    if (isOurs && hold.names.includes(node.application ?? '')) {
      this.#wasThere = true;
      return;
    }
    if (this.#wasThere) throw holdLost(project, run, 'its window is gone or was changed');
    if (this.#syncsByItself()) await this.#putUp();
  }

  /** What does not exist yet may come with automated sync. */
  #syncsByItself(): boolean {
    const view = this.#parts.watch.last(addressOf(this.#parts.node));
    return view === undefined || view.automated !== undefined;
  }

  /** The beginning saw nothing to do; now there is. */
  async #putUp(): Promise<void> {
    const { plan, node } = this.#parts;
    const all = plan.nodes.filter(isHoldable).map(addressOf);
    const keeper = podKeeper(this.#parts, this.#parts);
    try {
      const same = all.filter(({ project }) => project === node.argocd?.project);
      await keeper.survey(same);
      keeper.hold(same);
      await keeper.flush();
      this.#wasThere = true;
    } finally {
      keeper.stop();
    }
  }
}
