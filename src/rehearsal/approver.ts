// Whoever is asked for approval in a rehearsal: approves after a while, as `tiphys approve` does, unless a fault says otherwise.
import { decideGate } from '../engines/inspect/decide-gate.ts';
import { TiphysError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { Cluster } from '../ports/target.ts';
import type { RunEvent } from '../run/events.ts';
import type { Participant } from '../simulator/participant.ts';
import { connectOver } from '../targets/connect.ts';
import type { Fault } from './fault.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Until somebody answers, and tries again where the cluster does not. */
const ANSWER_SECONDS = 60;
const AGAIN_SECONDS = 10;

export class Approver {
  readonly #rehearsal: Rehearsal;
  readonly #plan: Plan;
  #who: Participant | undefined;
  #target: Promise<Cluster> | undefined;

  /** `plan`: of the whole platform. */
  constructor(rehearsal: Rehearsal, plan: Plan) {
    this.#rehearsal = rehearsal;
    this.#plan = plan;
  }

  event(event: RunEvent): void {
    if (event.type !== 'node.waiting' && event.type !== 'gate.closed') return;
    if (event.unmet.condition !== 'approved') return;
    const { faults } = this.#rehearsal;
    const name = this.#plan.nodes.find(({ id }) => id === event.node)?.application ?? '';
    const silent = faults.on('app', 'unanswered', name);
    if (silent) faults.note(silent);
    const { for: lasts = Number.POSITIVE_INFINITY } = silent ?? { for: 0 };
    const denial = faults.on('app', 'denied', name);
    this.#answerIn(lasts + (denial?.after ?? ANSWER_SECONDS), event.node, denial);
  }

  #answerIn(seconds: number, node: string, denial: Fault | undefined): void {
    if (!Number.isFinite(seconds)) return;
    this.#rehearsal.time.after(seconds * 1000, () => void this.#answer(node, denial));
  }

  async #answer(id: string, denial: Fault | undefined): Promise<void> {
    const who = this.#person;
    const said = denial ? { approved: false, reason: 'rehearsed' } : { approved: true };
    const { signal } = new AbortController();
    try {
      const target = await this.#reached(who);
      const request = { plan: this.#plan, id, target, clock: who.clock, signal, run: undefined };
      await decideGate({ reason: undefined, ...said, ...request });
      if (denial) this.#rehearsal.faults.note(denial);
    } catch (error) {
      if (!(error instanceof TiphysError)) throw error;
      // Where it does not wait any more, it asks again when it does.
      if (error.isPassing) this.#answerIn(AGAIN_SECONDS, id, denial);
    }
  }

  get #person(): Participant {
    this.#who ??= this.#rehearsal.join('somebody');
    return this.#who;
  }

  #reached({ transport, clock, random }: Participant): Promise<Cluster> {
    const { namespace } = this.#rehearsal;
    const transports = { kubernetes: transport, argocd: undefined };
    this.#target ??= connectOver(transports, { namespace, clock, random }).catch((error) => {
      this.#target = undefined;
      throw error;
    });
    return this.#target;
  }
}
