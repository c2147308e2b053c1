// Gates that have opened are kept in sight while something still waits for them: one that falls is judged again before
// a dependent starts.

import type { Evidence } from '../../gate/evidence.ts';
import { hasFallen, judgeFallen } from '../../node/judge-again.ts';
import type { LookContext } from '../../node/node-context.ts';
import { addressOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Hint, Watch } from '../../ports/application-watch.ts';
import type { Cause, Emit } from '../../run/events.ts';
import type { Schedule } from '../../run/schedule.ts';

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
    if (
      !hasFallen(kept.node, kept.evidence, hint.application) ||
      !this.#schedule.isAwaited(kept.node.id)
    )
      return;
    this.#schedule.shut(kept.node.id);
    void this.#judgeAgain(kept.node, kept.evidence);
  }

  async #judgeAgain(node: PlanNode, before: Evidence): Promise<void> {
    const given = this.#parts.contextOf(node);
    const context = { ...given, signal: AbortSignal.any([given.signal, this.#end.signal]) };
    const judged = await judgeFallen(context, before, this.#parts.emit);
    if ('cause' in judged) return this.#parts.failed(node, judged.cause);
    this.#opened.set(keyOf(addressOf(node)), { node, evidence: judged.evidence });
    this.#schedule.open(node.id);
    // What was seen while it was judged counts too.
    this.#lookAtLast(context);
    this.#parts.changed();
  }
}

function keyOf({ name, namespace }: { name: string; namespace: string }): string {
  return `${namespace}/${name}`;
}
