// The hold as seen by one of several processes of a run: the `begin` process put it up, and other processes rely on it
// too. This code only adds to it, and never reduces it.
import type { TiphysError } from '../../errors.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { Cluster } from '../../ports/target.ts';
import { holdOf } from '../../run/hold.ts';
import type { RunIdentity } from '../identity.ts';
import { holdsOf, leaseName } from '../lease/lease-data.ts';
import { holdableNodes, projectsOf } from './held.ts';
import { holdLost } from './hold-errors.ts';
import type { HoldWriter } from './hold-writer.ts';
import { hasOwnOperation, syncsByItself } from './own-operations.ts';
import { type RefusalParts, Refusals } from './refusals.ts';

export interface SharedHoldParts extends RefusalParts {
  /** Everything on hold. */
  readonly plan: Plan;
  /** The part that must be on hold before this process writes. */
  readonly names: ReadonlySet<string>;
  readonly watch: Pick<Watch, 'last' | 'all'>;
  readonly session: {
    readonly identity: RunIdentity;
    readonly target: Pick<Cluster, 'projects' | 'leases'>;
    readonly holdWriter: () => HoldWriter;
    readonly markHeld: (projects: Iterable<string>) => Promise<void>;
  };
}

export class SharedHold {
  readonly #parts: SharedHoldParts;
  readonly #wasThere = new Set<string>();

  constructor(parts: SharedHoldParts) {
    this.#parts = parts;
  }

  /** Before each write. Throws if the hold was there and no longer is. */
  async ensure(): Promise<void> {
    const nodes = this.#nodes();
    for (const project of projectsOf(nodes)) await this.#ensure(project, nodesIn(nodes, project));
  }

  #nodes(): PlanNode[] {
    const { plan, names } = this.#parts;
    return holdableNodes(plan).filter(({ application }) => names.has(application ?? ''));
  }

  /** Throws if a process of the run put it up and it is now gone or smaller: another client could sync in the meantime. */
  async check(): Promise<void> {
    const nodes = this.#nodes();
    for (const project of projectsOf(nodes)) {
      const held = await this.#heldIn(project);
      // The `begin` process leaves out Applications whose automated operation does not end.
      const isMissing = (node: PlanNode) =>
        !held || !(isHeld(held, node) || hasOwnOperation(node, this.#parts.watch));
      if (nodesIn(nodes, project).some(isMissing)) await this.#expectUnmarked(project);
    }
  }

  async #ensure(project: string, nodes: readonly PlanNode[]): Promise<void> {
    const held = await this.#heldIn(project);
    if (held && nodes.every((node) => isHeld(held, node))) {
      this.#wasThere.add(project);
      return;
    }
    if (this.#wasThere.has(project)) throw this.#lost(project);
    if (!held) await this.#expectUnmarked(project);
    if (nodes.some((node) => syncsByItself(node, this.#parts.watch))) await this.#putUp(project);
  }

  /** Undefined: it has no hold of this run, or not the original one. */
  async #heldIn(project: string): Promise<readonly string[] | undefined> {
    const { identity, target } = this.#parts.session;
    const view = await new Refusals(this.#parts).bear(() => target.projects.get(project));
    const hold = view && holdOf(view, identity.platform);
    const isOurs = hold?.platform === identity.platform && hold.run === identity.id && hold.intact;
    return isOurs ? hold.names : undefined;
  }

  async #expectUnmarked(project: string): Promise<void> {
    const { identity, target } = this.#parts.session;
    const lease = await target.leases.get(leaseName(identity.platform));
    if (lease && holdsOf(lease).has(project)) throw this.#lost(project);
  }

  #lost(project: string): TiphysError {
    return holdLost(project, this.#parts.session.identity.id, 'its window is gone or was changed');
  }

  /** The `begin` process saw nothing to do; now there is. */
  async #putUp(project: string): Promise<void> {
    const all = holdableNodes(this.#parts.plan).map(addressOf);
    const { session } = this.#parts;
    const writer = session.holdWriter();
    try {
      const same = all.filter((one) => one.project === project);
      await writer.survey(same);
      writer.hold(same);
      await writer.flush();
      await session.markHeld([project]);
      this.#wasThere.add(project);
    } finally {
      writer.stop();
    }
  }
}

const nodesIn = (nodes: readonly PlanNode[], project: string): readonly PlanNode[] =>
  nodes.filter((node) => addressOf(node).project === project);

const isHeld = (held: readonly string[], { application }: PlanNode): boolean =>
  held.includes(application ?? '');
