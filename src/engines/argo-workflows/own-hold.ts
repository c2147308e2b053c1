// The hold as the process of one node sees it: the beginning put it up, and other processes rely on it too. It is only ever
// completed here, never made smaller.
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Clock } from '../../run/clock.ts';
import { holdOf } from '../../run/hold.ts';
import type { Target, Watch } from '../../run/target.ts';
import { isHoldable } from '../hold/held.ts';
import { holdLost } from '../hold/hold-errors.ts';
import type { Lease } from '../lease/lease.ts';
import { addressOf } from '../node-address.ts';
import { podKeeper } from './pod.ts';

export interface OwnHoldParts {
  /** All that is held. */
  readonly plan: Plan;
  /** Those of it that must be held before this process writes. */
  readonly names: ReadonlySet<string>;
  readonly run: string;
  readonly target: Target;
  readonly watch: Watch;
  readonly clock: Clock;
  readonly lease: Lease;
}

export class OwnHold {
  readonly #parts: OwnHoldParts;
  readonly #wasThere = new Set<string>();

  constructor(parts: OwnHoldParts) {
    this.#parts = parts;
  }

  /** Before each write. Throws once it was there and is not any more. */
  async ensure(): Promise<void> {
    const { plan, names } = this.#parts;
    // An open is none: that of a parent whose close is not part of the plan is not held.
    const nodes = plan.nodes.filter((one) => isHoldable(one) && names.has(one.application ?? ''));
    const projects = new Set(nodes.flatMap(({ argocd }) => argocd?.project ?? []));
    for (const project of projects) {
      await this.#ensure(
        project,
        nodes.filter(({ argocd }) => argocd?.project === project),
      );
    }
  }

  async #ensure(project: string, nodes: readonly PlanNode[]): Promise<void> {
    const { run, plan, target } = this.#parts;
    const view = await target.projects.get(project);
    const hold = view && holdOf(view);
    const isOurs = hold?.platform === plan.platform && hold.run === run && hold.intact;
    if (isOurs && nodes.every(({ application }) => hold.names.includes(application ?? ''))) {
      this.#wasThere.add(project);
      return;
    }
    if (this.#wasThere.has(project))
      throw holdLost(project, run, 'its window is gone or was changed');
    if (nodes.some((node) => this.#syncsByItself(node))) await this.#putUp(project);
  }

  /** What does not exist yet may come with automated sync. */
  #syncsByItself(node: PlanNode): boolean {
    const view = this.#parts.watch.last(addressOf(node));
    return view === undefined || view.automated !== undefined;
  }

  /** The beginning saw nothing to do; now there is. */
  async #putUp(project: string): Promise<void> {
    const all = this.#parts.plan.nodes.filter(isHoldable).map(addressOf);
    const keeper = podKeeper(this.#parts, this.#parts);
    try {
      const same = all.filter((one) => one.project === project);
      await keeper.survey(same);
      keeper.hold(same);
      await keeper.flush();
      this.#wasThere.add(project);
    } finally {
      keeper.stop();
    }
  }
}
