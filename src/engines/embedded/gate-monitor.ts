// Gates that have opened are kept in sight while something still waits for them: one that falls is judged again before
// a dependent starts.

import type { Evidence } from '../../gate/evidence.ts';
import { hasFallen, judgeFallen } from '../../node/judge-again.ts';
import { deadlineIn, type LookContext, read } from '../../node/node-context.ts';
import { addressOf, keyOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import type { Hint } from '../../ports/application-watch.ts';
import { decisionIn, storedApprovals } from '../../session/approvals/approval.ts';
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

  /** A denial changes nothing of the Application, so no watch tells of it: it is read before each write behind the gate. */
  async readDecisions(before: readonly PlanNode[]): Promise<void> {
    const opened = before.flatMap((node) => this.#opened.get(keyOf(node)) ?? []);
    const asking = opened.filter(({ node }) => node.gate.approval !== undefined);
    const [first] = asking;
    if (!first) return;
    const context = this.#contextOf(first.node);
    const deadline = deadlineIn(context, first.node.timeouts.sync);
    const { applications, store } = context.session.target;
    const approvals = await read(context, deadline, () => storedApprovals(store));
    for (const { node } of asking) {
      const application = await read(context, deadline, () => applications.get(addressOf(node)));
      const decision = application && decisionIn(approvals, node, application, '');
      if (!decision) this.#fell(node);
    }
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
    const isNews = hasFallen(kept.node, kept.evidence, hint.application);
    if (!isNews || !this.#walk.schedule.isAwaited(kept.node.id)) return;
    this.#fell(kept.node);
  }

  #fell(node: PlanNode): void {
    const kept = this.#opened.get(keyOf(node));
    if (!kept || this.#walk.schedule.state(node.id) !== 'open') return;
    this.#walk.schedule.shut(node.id);
    void this.#judgeAgain(node, kept.evidence);
  }

  async #judgeAgain(node: PlanNode, before: Evidence): Promise<void> {
    const given = this.#contextOf(node);
    const context = { ...given, signal: AbortSignal.any([given.signal, this.#end.signal]) };
    const judged = await judgeFallen(context, before, this.#walk.emit);
    if ('cause' in judged) return this.#walk.failed(node, judged.cause);
    this.#opened.set(keyOf(node), { node, evidence: judged.evidence });
    this.#walk.schedule.open(node.id);
    // What was seen while it was judged counts too.
    this.#lookAtLast(context);
    this.#walk.proceed();
  }
}
