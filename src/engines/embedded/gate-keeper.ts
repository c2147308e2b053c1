// Gates that have opened are kept in sight while something still waits for them: one that falls is judged again before
// a dependent starts.
import type { PlanNode } from '../../plan/plan.ts';
import type { Cause, Emit } from '../../run/events.ts';
import type { Evidence } from '../../run/gate.ts';
import { Abandoned, deadlineIn, type NodeContext } from '../../run/node-context.ts';
import { passGate } from '../../run/pass-gate.ts';
import type { Schedule } from '../../run/schedule.ts';
import type { Hint, Watch } from '../../run/target.ts';

interface GateKeeperParts {
  readonly contextOf: (node: PlanNode, emit: Emit) => NodeContext;
  readonly emit: Emit;
  readonly changed: () => void;
  readonly failed: (node: PlanNode, cause: Cause) => void;
}

export class GateKeeper {
  readonly #schedule: Schedule;
  readonly #parts: GateKeeperParts;
  readonly #opened = new Map<string, { node: PlanNode; evidence: Evidence }>();
  #unsubscribe: (() => void) | undefined;

  constructor(schedule: Schedule, parts: GateKeeperParts) {
    this.#schedule = schedule;
    this.#parts = parts;
  }

  watch(node: PlanNode, evidence: Evidence): void {
    const context = this.#parts.contextOf(node, () => {});
    this.#opened.set(keyOf(context.address), { node, evidence });
    this.#unsubscribe ??= this.#subscribe(context.watch);
    const last = context.watch.last(context.address);
    if (last) this.#look({ name: last.name, namespace: last.namespace, application: last });
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

  async #judgeAgain(node: PlanNode, evidence: Evidence): Promise<void> {
    let closed = false;
    const context = this.#parts.contextOf(node, (event) => {
      if (event.type !== 'node.waiting' || closed) return;
      closed = true;
      this.#parts.emit({ type: 'gate.closed', node: node.id, unmet: event.unmet });
    });
    try {
      const result = await passGate(context, {
        uid: evidence.uid,
        operation: undefined,
        laterThan: evidence.reconciledAt,
        deadline: deadlineIn(context, node.timeouts.health),
      });
      if (result.kind === 'open') {
        if (closed)
          this.#parts.emit({ type: 'gate.opened', node: node.id, evidence: result.evidence });
        this.#opened.set(keyOf(context.address), { node, evidence: result.evidence });
        this.#schedule.open(node.id);
        this.#parts.changed();
        return;
      }
      const failure = result.kind === 'failed' ? result.failure : { message: 'Git moved on' };
      const message = `fell after its gate had opened: ${failure.message}`;
      this.#parts.failed(node, { node: node.id, message });
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
      this.#parts.failed(node, { node: node.id, message: 'the run was told to leave' });
    }
  }
}

function keyOf({ name, namespace }: { name: string; namespace: string }): string {
  return `${namespace}/${name}`;
}

/** A hint only: the gate itself is judged afterwards. */
function hasFallen(node: PlanNode, evidence: Evidence, { application }: Hint): boolean {
  if (!application || application.uid !== evidence.uid || application.deleting) return true;
  const { status } = application.health;
  const healthy = status === 'Healthy' || (status === 'Suspended' && node.gate.allowSuspended);
  const synced = application.sync.status === 'Synced' || node.gate.ignoreOutOfSync.length > 0;
  return !healthy || !synced;
}
