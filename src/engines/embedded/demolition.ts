// A teardown in this process: removes an Application the moment the last one that depends on it is gone.

import type { NodeContext } from '../../node/node-context.ts';
import type { NodeResult } from '../../node/progress.ts';
import type { Removal } from '../../node/removal.ts';
import { removeApplication } from '../../node/remove-node.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import { type Emit, THE_RUN } from '../../run/events.ts';
import { Schedule } from '../../run/schedule.ts';
import { Abandoned } from '../../session/abandoned.ts';
import { lostResult, NOTHING_DONE } from '../node-results.ts';
import { dependentsGone } from '../teardown/teardown-order.ts';

export interface DemolitionParts {
  readonly plan: Plan;
  /** Of the whole platform: who depends on whom, also outside of the scope. */
  readonly whole: Plan;
  readonly concurrency: number;
  readonly contextOf: (node: PlanNode) => NodeContext;
  readonly removalOf: (node: PlanNode) => Removal;
  readonly emit: Emit;
}

export class Demolition {
  readonly #parts: DemolitionParts;
  readonly #schedule: Schedule;
  readonly #running = new Map<string, { readonly node: PlanNode; readonly wait: number }>();
  #startedAt = 0;
  #stopped: string | undefined;
  #isOver = false;
  #finish: () => void = () => {};

  constructor(parts: DemolitionParts) {
    this.#parts = parts;
    this.#schedule = new Schedule(parts.plan);
  }

  async run(monotonic: number, abandoned: Promise<void>): Promise<void> {
    this.#startedAt = monotonic;
    const end = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.#pump();
    await Promise.race([end, abandoned]);
    for (const { node, wait } of [...this.#running.values()]) {
      this.#ended(node, wait, lostResult(node, new Abandoned(), this.#stopped));
    }
    this.#isOver = true;
  }

  /** Starts nothing more; what is in flight goes on to its end. */
  stop(message: string): void {
    this.#stopped ??= message;
    for (const id of this.#schedule.stop({ node: THE_RUN, message })) this.#skipped(id);
    this.#pump();
  }

  #pump(): void {
    for (let again = true; again; ) {
      again = false;
      for (const node of this.#schedule.ready()) {
        if (node.application === null) {
          this.#schedule.open(node.id);
          again = true;
        } else if (this.#running.size < this.#parts.concurrency) this.#start(node);
      }
    }
    if (this.#schedule.isOver() && this.#running.size === 0) this.#finish();
  }

  #start(node: PlanNode): void {
    this.#schedule.start(node.id);
    const given = this.#parts.contextOf(node);
    const { whole } = this.#parts;
    const context = { ...given, ready: () => dependentsGone(node, whole, given.applications) };
    const wait = (context.clock.monotonic() - this.#startedAt) / 1000;
    this.#running.set(node.id, { node, wait });
    this.#parts.emit({ type: 'node.started', node: node.id, application: node.application });
    void removeApplication(context, this.#parts.removalOf(node)).then(
      (result) => this.#ended(node, wait, result),
      (error: unknown) => this.#ended(node, wait, lostResult(node, error, this.#stopped)),
    );
  }

  #ended(node: PlanNode, wait: number, result: NodeResult): void {
    if (this.#isOver || !this.#running.delete(node.id)) return;
    const { evidence: _, durations, ...rest } = result;
    const times = { wait: Math.round(wait * 1000) / 1000, ...durations };
    this.#parts.emit({ type: 'node.finished', node: node.id, ...rest, durations: times });
    if (result.outcome === 'removed') this.#schedule.open(node.id);
    else {
      const cause = result.cause ?? { node: node.id, message: 'failed' };
      for (const id of this.#schedule.fail(node.id, cause)) this.#skipped(id);
    }
    this.#pump();
  }

  #skipped(id: string): void {
    const cause = this.#schedule.cause(id);
    this.#parts.emit({ ...NOTHING_DONE, node: id, outcome: 'skipped', cause });
  }
}
