// Gates that have opened are kept in sight while something still waits for them: one that falls is judged again before
// a dependent starts.

import { drift } from '../../gate/drift.ts';
import type { Evidence } from '../../gate/evidence.ts';
import { judgeAgain } from '../../node/judge-again.ts';
import type { LookContext } from '../../node/node-context.ts';
import { addressOf, keyOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Hint } from '../../ports/application-watch.ts';
import { Abandoned } from '../../session/abandoned.ts';
import type { PlanWalk } from '../walk-plan.ts';

type ContextOf = (node: PlanNode) => LookContext;

export class GateMonitor {
  readonly #walk: PlanWalk;
  readonly #contextOf: ContextOf;
  readonly #opened = new Map<string, { node: PlanNode; evidence: Evidence }>();
  readonly #end = new AbortController();
  #unsubscribe: (() => void) | undefined;

  constructor(walk: PlanWalk, contextOf: ContextOf) {
    this.#walk = walk;
    this.#contextOf = contextOf;
  }

  watch(node: PlanNode, evidence: Evidence): void {
    const context = this.#contextOf(node);
    this.#opened.set(keyOf(node), { node, evidence });
    this.#unsubscribe ??= context.watch.subscribe((hint) => this.#look(hint));
    this.#lookAtLast(context);
  }

  #lookAtLast({ watch, node }: LookContext): void {
    const last = watch.last(addressOf(node));
    if (last) this.#look({ name: last.name, namespace: last.namespace, application: last });
  }

  /** Something depends on gates again that nothing waited for. */
  lookAgain(): void {
    for (const { node } of [...this.#opened.values()]) this.#lookAtLast(this.#contextOf(node));
  }

  /** Nothing will start any more: what fell is not judged again. */
  stop(): void {
    this.#end.abort();
  }

  close(): void {
    this.#unsubscribe?.();
  }

  #look(hint: Hint): void {
    const kept = this.#opened.get(`${hint.namespace}/${hint.name}`);
    if (!kept || this.#walk.schedule.state(kept.node.id) !== 'open') return;
    if (!hasFallen(kept.node, kept.evidence, hint) || !this.#walk.schedule.isAwaited(kept.node.id))
      return;
    this.#walk.schedule.shut(kept.node.id);
    void this.#judgeAgain(kept.node, kept.evidence);
  }

  async #judgeAgain(node: PlanNode, before: Evidence): Promise<void> {
    const given = this.#contextOf(node);
    const context = { ...given, signal: AbortSignal.any([given.signal, this.#end.signal]) };
    try {
      const judged = await judgeAgain(context, before, this.#walk.emit);
      if ('cause' in judged) return this.#walk.failed(node, judged.cause);
      this.#opened.set(keyOf(node), { node, evidence: judged.evidence });
      this.#walk.schedule.open(node.id);
      // What was seen while it was judged counts too.
      this.#lookAtLast(context);
      this.#walk.proceed();
    } catch (error) {
      const message =
        error instanceof Abandoned
          ? 'fell after its gate had opened, and the run was told to stop'
          : `it cannot be judged again after it fell: ${error instanceof Error ? error.message : error}`;
      this.#walk.failed(node, { node: node.id, message });
    }
  }
}

/** A hint only: the gate itself is judged afterwards. */
function hasFallen(node: PlanNode, evidence: Evidence, { application }: Hint): boolean {
  if (!application) return true;
  // Older than what the gate was judged by, also where it is of an object that was there before: that is no news.
  if (BigInt(application.resourceVersion) <= BigInt(evidence.resourceVersion)) return false;
  if (application.uid !== evidence.uid || application.deleting) return true;
  const { status } = application.health;
  const healthy = status === 'Healthy' || (status === 'Suspended' && node.gate.allowSuspended);
  return !healthy || drift(application, node.gate) !== undefined;
}
