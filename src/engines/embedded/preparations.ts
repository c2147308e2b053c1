// What is looked at ahead, while the last dependency of a node is in its dwell, so that its request is sent at once.

import type { LookContext } from '../../node/node-context.ts';
import { type Observed, observe } from '../../node/observe.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { SyncWindow } from '../../ports/argocd-applications.ts';
import type { Clock } from '../../ports/clock.ts';

/** What is older may not be worth acting on. */
const PREPARED_MS = 30_000;

/** A look ahead that has not ended by then is late, and lateness is told by the node itself. */
const PATIENCE_MS = 1_000;

interface Prepared {
  readonly at: number;
  readonly end: AbortController;
  readonly observed: Promise<Observed | undefined>;
  readonly windows: Promise<readonly SyncWindow[] | undefined>;
}

export class Preparations {
  readonly #prepared = new Map<string, Prepared>();

  /** Once, and only where there is something to look at. */
  add(node: PlanNode, contextOf: (node: PlanNode) => LookContext): void {
    if (node.kind !== 'application' || this.#prepared.has(node.id)) return;
    const context = contextOf(node);
    const { watch, session } = context;
    const address = addressOf(node);
    // One that does not exist yet has to be waited for, and that is to be seen.
    if (!watch.last(address)) return;
    const end = new AbortController();
    const signal = AbortSignal.any([context.signal, end.signal]);
    // The node has not started: nothing is told of it.
    const observed = observe({ ...context, emit: () => {}, signal }).catch(() => undefined);
    const windows = session.target.applications.syncWindows(address).catch(() => undefined);
    this.#prepared.set(node.id, { at: session.clock.monotonic(), end, observed, windows });
  }

  /** It saves the time of looking, but only to say that a sync is needed: that none is must be found out after the gates. */
  async observation(context: LookContext): Promise<Observed> {
    const { clock } = context.session;
    const prepared = this.#fresh(context.node, clock);
    const observed = prepared && (await inTime(prepared, clock));
    if (observed?.kind === 'needs-sync' && !observed.adopted) return observed;
    return await observe(context);
  }

  /** For the first request; afterwards windows are asked for anew. */
  windowsOf(node: PlanNode, clock: Clock): () => Promise<readonly SyncWindow[] | undefined> {
    let isFirst = true;
    return async () => {
      const prepared = isFirst ? this.#fresh(node, clock) : undefined;
      isFirst = false;
      return await prepared?.windows;
    };
  }

  #fresh({ id }: PlanNode, clock: Clock): Prepared | undefined {
    const prepared = this.#prepared.get(id);
    return prepared && clock.monotonic() - prepared.at < PREPARED_MS ? prepared : undefined;
  }
}

async function inTime({ observed, end }: Prepared, clock: Clock): Promise<Observed | undefined> {
  const patience = clock.sleep(PATIENCE_MS, end.signal).then(() => undefined);
  const given = await Promise.race([observed, patience]);
  end.abort();
  return given;
}
