// What is looked at ahead, while the last dependency of a node is in its dwell, so that its request is sent at once.

import type { NodeContext } from '../../node/node-context.ts';
import { type Observed, observe } from '../../node/observe.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { SyncWindow } from '../../ports/argocd-applications.ts';

/** What is older may not be worth acting on. */
const PREPARED_MS = 30_000;

interface Prepared {
  readonly at: number;
  readonly observed: Promise<Observed | undefined>;
  readonly windows: Promise<readonly SyncWindow[] | undefined>;
}

export class Preparations {
  readonly #prepared = new Map<string, Prepared>();

  isFor({ id, kind }: PlanNode): boolean {
    return kind === 'application' && !this.#prepared.has(id);
  }

  add(context: NodeContext): void {
    const { node, watch, address, applications, clock } = context;
    // One that does not exist yet has to be waited for, and that is to be seen.
    if (!watch.last(address)) return;
    const observed = observe(context).catch(() => undefined);
    const windows = applications.syncWindows(address).catch(() => undefined);
    this.#prepared.set(node.id, { at: clock.monotonic(), observed, windows });
  }

  /** It saves the time of looking, but only to say that a sync is needed: that none is must be found out after the gates. */
  async observation(context: NodeContext): Promise<Observed> {
    const observed = await this.#fresh(context)?.observed;
    if (observed?.kind === 'needs-sync' && !observed.adopted) return observed;
    return await observe(context);
  }

  /** For the first request; afterwards windows are asked for anew. */
  withWindows(context: NodeContext): NodeContext {
    const { applications } = context;
    let first = true;
    const syncWindows: typeof applications.syncWindows = async (address) => {
      const prepared = first ? this.#fresh(context) : undefined;
      first = false;
      return (await prepared?.windows) ?? (await applications.syncWindows(address));
    };
    return { ...context, applications: { ...applications, syncWindows } };
  }

  #fresh({ node, clock }: NodeContext): Prepared | undefined {
    const prepared = this.#prepared.get(node.id);
    return prepared && clock.monotonic() - prepared.at < PREPARED_MS ? prepared : undefined;
  }
}
