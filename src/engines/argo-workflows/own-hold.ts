// The hold as the process of one node sees it: the beginning put it up, and other processes rely on it too. It is only ever
// completed here, never made smaller.
import type { TiphysError } from '../../errors.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Clock } from '../../run/clock.ts';
import { holdOf } from '../../run/hold.ts';
import type { Target, Watch } from '../../run/target.ts';
import { holdableNodes } from '../hold/held.ts';
import { holdLost } from '../hold/hold-errors.ts';
import type { Lease } from '../lease/lease.ts';
import { holdsOf, leaseName } from '../lease/lease-data.ts';
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
    const nodes = this.#nodes();
    const projects = new Set(nodes.flatMap(({ argocd }) => argocd?.project ?? []));
    for (const project of projects) {
      await this.#ensure(
        project,
        nodes.filter(({ argocd }) => argocd?.project === project),
      );
    }
  }

  #nodes(): PlanNode[] {
    const { plan, names } = this.#parts;
    return holdableNodes(plan).filter(({ application }) => names.has(application ?? ''));
  }

  /** Throws where a process of the run has put it up and it is gone: somebody else could deploy meanwhile. */
  async check(): Promise<void> {
    for (const project of new Set(this.#nodes().flatMap(({ argocd }) => argocd?.project ?? []))) {
      if (!(await this.#heldIn(project))) await this.#expectUnmarked(project);
    }
  }

  async #ensure(project: string, nodes: readonly PlanNode[]): Promise<void> {
    const held = await this.#heldIn(project);
    if (held && nodes.every(({ application }) => held.includes(application ?? ''))) {
      this.#wasThere.add(project);
      return;
    }
    if (this.#wasThere.has(project)) throw this.#lost(project);
    if (!held) await this.#expectUnmarked(project);
    if (nodes.some((node) => this.#syncsByItself(node))) await this.#putUp(project);
  }

  /** Undefined: it has no hold of this run, or not as it was put up. */
  async #heldIn(project: string): Promise<readonly string[] | undefined> {
    const { run, plan, target } = this.#parts;
    const view = await target.projects.get(project);
    const hold = view && holdOf(view);
    const isOurs = hold?.platform === plan.platform && hold.run === run && hold.intact;
    return isOurs ? hold.names : undefined;
  }

  async #expectUnmarked(project: string): Promise<void> {
    const lease = await this.#parts.target.leases.get(leaseName(this.#parts.plan.platform));
    if (lease && holdsOf(lease).has(project)) throw this.#lost(project);
  }

  #lost(project: string): TiphysError {
    return holdLost(project, this.#parts.run, 'its window is gone or was changed');
  }

  /** What does not exist yet may come with automated sync. */
  #syncsByItself(node: PlanNode): boolean {
    const view = this.#parts.watch.last(addressOf(node));
    return view === undefined || view.automated !== undefined;
  }

  /** The beginning saw nothing to do; now there is. */
  async #putUp(project: string): Promise<void> {
    const all = holdableNodes(this.#parts.plan).map(addressOf);
    const keeper = podKeeper(this.#parts, this.#parts);
    try {
      const same = all.filter((one) => one.project === project);
      await keeper.survey(same);
      keeper.hold(same);
      await keeper.flush();
      await this.#parts.lease.mark([project]);
      this.#wasThere.add(project);
    } finally {
      keeper.stop();
    }
  }
}
