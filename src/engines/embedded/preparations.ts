// Looks ahead at a node while its last dependency is in its dwell, so that its request can be sent immediately.

import type { LookContext } from '../../node/node-context.ts';
import { type Observed, observe } from '../../node/observe.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { SyncWindow } from '../../ports/argocd-applications.ts';
import type { Clock } from '../../ports/clock.ts';

/** An older look may be outdated. */
const PREPARED_MS = 30_000;

/** A look ahead that has not ended by then is late; the node itself reports lateness. */
const PATIENCE_MS = 1_000;

interface Prepared {
  readonly at: number;
  readonly end: AbortController;
  readonly observed: Promise<Observed | undefined>;
  readonly windows: Promise<readonly SyncWindow[] | undefined>;
}

export class Preparations {
  readonly #prepared = new Map<string, Prepared>();

  /** Once, and only if there is something to look at. */
  add(node: PlanNode, contextOf: (node: PlanNode) => LookContext): void {
    if (node.kind !== 'application' || this.#prepared.has(node.id)) return;
    const context = contextOf(node);
    const { watch, session } = context;
    const address = addressOf(node);
    // An Application that does not exist yet must be waited for, visibly.
    if (!watch.last(address)) return;
    const end = new AbortController();
    const signal = AbortSignal.any([context.signal, end.signal]);
    // The node has not started: nothing is reported.
    const observed = observe({ ...context, emit: () => {}, signal }).catch(() => undefined);
    const windows = session.target.applications.syncWindows(address).catch(() => undefined);
    this.#prepared.set(node.id, { at: session.clock.monotonic(), end, observed, windows });
  }

  /** A look ahead saves time, but only to decide that a sync is needed: that none is must be decided after the gates. */
  async observation(context: LookContext): Promise<Observed> {
    const { clock } = context.session;
    const prepared = this.#fresh(context.node, clock);
    const observed = prepared && (await inTime(prepared, clock));
    if (observed?.kind === 'needs-sync' && !observed.adopted) return observed;
    return await observe(context);
  }

  /** For the first request; later, windows are read again. */
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
