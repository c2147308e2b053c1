// The approver in a rehearsal: approves after a while, as `tiphys approve` does, unless a fault says otherwise.
import { decideGate } from '../engines/inspect/decide-gate.ts';
import { TiphysError } from '../errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { Cluster } from '../ports/target.ts';
import type { RunEvent } from '../run/events.ts';
import type { Participant } from '../simulator/participant.ts';
import { connectOver } from '../targets/connect.ts';
import type { Fault } from './fault.ts';
import type { Rehearsal } from './rehearsal.ts';

/** Until the approver answers, and tries again where that did not work. */
const ANSWER_SECONDS = 60;
const AGAIN_SECONDS = 10;

interface Asked {
  readonly node: string;
  readonly question: object;
  /** Where the approval is denied. */
  readonly denial: Fault | undefined;
}

export class Approver {
  readonly #rehearsal: Rehearsal;
  readonly #plan: Plan;
  #who: Participant | undefined;
  #target: Promise<Cluster> | undefined;

  /** Which question of a node is open; none where it does not wait any more. */
  readonly #open = new Map<string, object>();
  readonly #seconds: number;

  /** `plan`: of the whole platform. */
  constructor(rehearsal: Rehearsal, plan: Plan, seconds = ANSWER_SECONDS) {
    this.#rehearsal = rehearsal;
    this.#plan = plan;
    this.#seconds = seconds;
  }

  event(event: RunEvent): void {
    if (!('node' in event) || event.node === undefined) return;
    this.#open.delete(event.node);
    const { unmet } = 'unmet' in event ? event : {};
    if (unmet?.condition === 'approved') this.#asked(event.node);
  }

  #asked(node: string): void {
    const question = {};
    this.#open.set(node, question);
    const { faults } = this.#rehearsal;
    const name = this.#plan.nodes.find(({ id }) => id === node)?.application ?? '';
    const silent = faults.on('app', 'unanswered', name);
    if (silent) faults.note(silent);
    const { for: lasts = Number.POSITIVE_INFINITY } = silent ?? { for: 0 };
    const denial = faults.on('app', 'denied', name);
    this.#answerIn(lasts + (denial?.after ?? this.#seconds), { node, question, denial });
  }

  #answerIn(seconds: number, asked: Asked): void {
    if (!Number.isFinite(seconds)) return;
    this.#rehearsal.time.after(seconds * 1000, () => void this.#answer(asked));
  }

  async #answer(asked: Asked): Promise<void> {
    const { node: id, question, denial } = asked;
    if (this.#open.get(id) !== question) return;
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
      this.#answerIn(AGAIN_SECONDS, asked);
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
