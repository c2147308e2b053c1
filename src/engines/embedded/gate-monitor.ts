// Gates that have opened are kept in sight while something still waits for them: one that falls is judged again before
// a dependent starts.

import { drift } from '../../gate/drift.ts';
import type { Evidence } from '../../gate/evidence.ts';
import { judgeAgain } from '../../node/judge-again.ts';
import type { LookContext } from '../../node/node-context.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Hint, Watch } from '../../ports/application-watch.ts';
import type { Cause, Emit } from '../../run/events.ts';
import type { Schedule } from '../../run/schedule.ts';
import { Abandoned } from '../../session/abandoned.ts';

interface GateMonitorParts {
  readonly contextOf: (node: PlanNode) => LookContext;
  readonly emit: Emit;
  readonly changed: () => void;
  readonly failed: (node: PlanNode, cause: Cause) => void;
}

export class GateMonitor {
  readonly #schedule: Schedule;
  readonly #parts: GateMonitorParts;
  readonly #opened = new Map<string, { node: PlanNode; evidence: Evidence }>();
  readonly #end = new AbortController();
  #unsubscribe: (() => void) | undefined;

  constructor(schedule: Schedule, parts: GateMonitorParts) {
    this.#schedule = schedule;
    this.#parts = parts;
  }

  watch(node: PlanNode, evidence: Evidence): void {
    const context = this.#parts.contextOf(node);
    this.#opened.set(keyOf(addressOf(node)), { node, evidence });
    this.#unsubscribe ??= this.#subscribe(context.watch);
    this.#lookAtLast(context);
  }

  #lookAtLast({ watch, node }: LookContext): void {
    const last = watch.last(addressOf(node));
    if (last) this.#look({ name: last.name, namespace: last.namespace, application: last });
  }

  /** Something depends on gates again that nothing waited for. */
  lookAgain(): void {
    for (const { node } of [...this.#opened.values()])
      this.#lookAtLast(this.#parts.contextOf(node));
  }

  /** Nothing will start any more: what fell is not judged again. */
  stop(): void {
    this.#end.abort();
  }

  close(): void {
    this.#unsubscribe?.();
  }

  #subscribe(watch: Watch): () => void {
    return watch.subscribe((hint) => this.#look(hint));
  }

  #look(hint: Hint): void {
    const kept = this.#opened.get(keyOf(hint));
    if (!kept || this.#schedule.state(kept.node.id) !== 'open') return;
    if (!hasFallen(kept.node, kept.evidence, hint) || !this.#schedule.isAwaited(kept.node.id))
      return;
    this.#schedule.shut(kept.node.id);
    void this.#judgeAgain(kept.node, kept.evidence);
  }

  async #judgeAgain(node: PlanNode, before: Evidence): Promise<void> {
    const given = this.#parts.contextOf(node);
    const context = { ...given, signal: AbortSignal.any([given.signal, this.#end.signal]) };
    try {
      const judged = await judgeAgain(context, before, this.#parts.emit);
      if ('cause' in judged) return this.#parts.failed(node, judged.cause);
      this.#opened.set(keyOf(addressOf(node)), { node, evidence: judged.evidence });
      this.#schedule.open(node.id);
      // What was seen while it was judged counts too.
      this.#lookAtLast(context);
      this.#parts.changed();
    } catch (error) {
      const message =
        error instanceof Abandoned
          ? 'fell after its gate had opened, and the run was told to stop'
          : `it cannot be judged again after it fell: ${error instanceof Error ? error.message : error}`;
      this.#parts.failed(node, { node: node.id, message });
    }
  }
}

function keyOf({ name, namespace }: { name: string; namespace: string }): string {
  return `${namespace}/${name}`;
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
