// Open gates are watched while something still depends on them: one that no longer holds is judged again before a
// dependent starts.

import { causeFor, type Judged, tellingOf } from '../../node/generated-members.ts';
import { hasFallen, judgeFallen } from '../../node/judge-again.ts';
import { type Deadline, deadlineIn, type LookContext, read } from '../../node/node-context.ts';
import { addressOf, keyOf } from '../../plan/node-address.ts';
import type { PlanNode } from '../../plan/plan.ts';
import { versionOf } from '../../ports/application-view.ts';
import type { Hint } from '../../ports/application-watch.ts';
import { decisionIn, storedApprovals } from '../../session/approvals/approval.ts';
import type { PlanWalk } from '../walk-plan.ts';

type ContextOf = (node: PlanNode) => LookContext;

export class GateMonitor {
  readonly #walk: PlanWalk;
  readonly #contextOf: ContextOf;
  readonly #opened = new Map<string, Judged>();
  /** Keys of the gates being judged again, with the node that is shut meanwhile. */
  readonly #judging = new Map<string, string>();
  readonly #end = new AbortController();
  #unsubscribe: (() => void) | undefined;

  constructor(walk: PlanWalk, contextOf: ContextOf) {
    this.#walk = walk;
    this.#contextOf = contextOf;
  }

  watch(judged: Judged): void {
    const { node } = judged;
    const context = this.#contextOf(node);
    this.#opened.set(keyOf(node), judged);
    this.#unsubscribe ??= context.watch.subscribe((hint) => this.#look(hint));
    this.#lookAtLast(context);
  }

  #lookAtLast({ watch, node }: LookContext): void {
    const last = watch.last(addressOf(node));
    if (last) this.#look({ name: last.name, namespace: last.namespace, application: last });
  }

  /** Something depends again on gates that nothing depended on. */
  lookAgain(): void {
    for (const { node } of [...this.#opened.values()]) this.#lookAtLast(this.#contextOf(node));
  }

  /** A denial does not change the Application, so no watch reports it: it is read before each write behind the gate. */
  async readDecisions(before: readonly PlanNode[]): Promise<void> {
    const opened = before.flatMap((node) => this.#opened.get(keyOf(node)) ?? []);
    const asking = opened.filter(({ node }) => node.gate.approval !== undefined);
    const [first] = asking;
    if (!first) return;
    const context = this.#contextOf(first.node);
    const deadline = deadlineIn(context, first.node.timeouts.sync);
    const { store } = context.session.target;
    const approvals = await read(context, deadline, () => storedApprovals(store));
    for (const judged of asking) {
      const { node } = judged;
      const application = await this.#newest(judged, context, deadline);
      const decision = application && decisionIn(approvals, node, application, '');
      if (!decision) this.#fell(node);
    }
  }

  /** According to the watch: otherwise Argo CD would be asked for each write behind the gate. */
  async #newest({ node, evidence }: Judged, context: LookContext, deadline: Deadline) {
    const address = addressOf(node);
    const last = context.watch.last(address);
    if (last && versionOf(last) >= versionOf(evidence)) return last;
    return await read(context, deadline, () => context.session.target.applications.get(address));
  }

  /** Nothing will start any more: gates are not judged again. */
  stop(): void {
    this.#end.abort();
  }

  close(): void {
    this.#unsubscribe?.();
  }

  #look(hint: Hint): void {
    const kept = this.#opened.get(`${hint.namespace}/${hint.name}`);
    if (!kept || !this.#isOpen(kept)) return;
    const isNews = hasFallen(kept.node, kept.evidence, hint.application);
    if (!isNews || !this.#walk.schedule.isAwaited(kept.owner.id)) return;
    this.#fell(kept.node);
  }

  /** While a member is shut because of one of its Applications, the others can become unhealthy as well. */
  #isOpen({ node, owner }: Judged): boolean {
    if (this.#judging.has(keyOf(node))) return false;
    const state = this.#walk.schedule.state(owner.id);
    return state === 'open' || (state === 'shut' && this.#isJudging(owner));
  }

  #isJudging({ id }: PlanNode): boolean {
    return [...this.#judging.values()].includes(id);
  }

  #fell(node: PlanNode): void {
    const kept = this.#opened.get(keyOf(node));
    if (!kept || !this.#isOpen(kept)) return;
    this.#walk.schedule.shut(kept.owner.id);
    this.#judging.set(keyOf(node), kept.owner.id);
    void this.#judgeAgain(kept);
  }

  async #judgeAgain(kept: Judged): Promise<void> {
    const { node, owner, evidence: before } = kept;
    const given = this.#contextOf(node);
    const context = { ...given, signal: AbortSignal.any([given.signal, this.#end.signal]) };
    const judged = await judgeFallen(context, before, tellingOf(kept, this.#walk.emit));
    this.#judging.delete(keyOf(node));
    if (this.#walk.schedule.state(owner.id) !== 'shut') return;
    if ('cause' in judged) return this.#walk.failed(owner, causeFor(kept, judged.cause));
    this.#opened.set(keyOf(node), { ...kept, evidence: judged.evidence });
    if (!this.#isJudging(owner)) this.#walk.schedule.open(owner.id);
    // Changes during the judgement count too.
    this.#lookAtLast(context);
    this.#walk.proceed();
  }
}
