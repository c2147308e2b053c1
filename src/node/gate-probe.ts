// The probe at one gate: a Job that asks from inside of the cluster, tried again until it is good or the gate's time is up. A result
// counts for the state of the Application that it was asked in, and for no other.
import type { ProbeResult } from '../gate/probe-result.ts';
import { type Probe, probeTarget, secondsOf } from '../model/probe.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { ProbeJob, ProbeRequest } from '../ports/probe-jobs.ts';
import { isoTime } from '../run/iso-time.ts';
import { probedState, probeRequest } from '../session/probes.ts';
import {
  type Deadline,
  deadlineIn,
  isOver,
  type NodeContext,
  read,
  sleep,
} from './node-context.ts';

/** Before the second try and those behind it. */
const PAUSES_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LOOK_MS = 1_000;
/** What ended longer ago, unseen, says nothing of now. */
const OLD_MS = 120_000;
/** For the Job controller, beyond what a try can take. */
const LATE_SECONDS = 10;

export class GateProbe {
  readonly #context: NodeContext;
  readonly #probe: Probe;
  readonly #most: number;
  #state = '';
  /** Of the tries on that state; names of Jobs have it. */
  #number = 0;
  #tries = 0;
  #result: ProbeResult | undefined;
  #pauseUntil: Deadline = 0;

  private constructor(context: NodeContext, probe: Probe, most: number) {
    this.#context = context;
    this.#probe = probe;
    this.#most = most;
  }

  /** Undefined where the gate has none. */
  static of(context: NodeContext, patience?: 'once'): GateProbe | undefined {
    const { probe } = context.node.gate;
    const most = patience === 'once' ? 1 : Number.POSITIVE_INFINITY;
    return probe && new GateProbe(context, probe, most);
  }

  /** It failed, and is not tried again here. */
  get isSpent(): boolean {
    return this.#tries >= this.#most && this.#result?.succeeded === false;
  }

  /** Undefined where there is none on the Application as it is. */
  resultOn(application: ApplicationView): ProbeResult | undefined {
    return probedState(application) === this.#state ? this.#result : undefined;
  }

  /** Something was wrong since. */
  forget(): void {
    this.#result = undefined;
  }

  /** The next step: a try, or the pause before it, after which everything is to be looked at again. */
  async proceed(application: ApplicationView, deadline: Deadline): Promise<void> {
    const now = this.#context.session.clock.monotonic();
    const pause = Math.min(this.#pauseUntil, deadline) - now;
    if (pause > 0) await sleep(this.#context, pause);
    else await this.#try(application, deadline);
  }

  async #try(application: ApplicationView, deadline: Deadline): Promise<void> {
    const state = probedState(application);
    if (state !== this.#state) this.#number = 0;
    const before = this.resultOn(application);
    this.#state = state;
    this.#result = undefined;
    const { state: end, message } = await this.#ended(application, deadline);
    // That one was cut short tells less than how the last one ended.
    if (end === 'running' && before) {
      this.#result = before;
      return;
    }
    const { clock } = this.#context.session;
    const pause = PAUSES_MS[Math.min(this.#tries, PAUSES_MS.length - 1)] ?? 0;
    this.#tries++;
    if (end !== 'succeeded') this.#pauseUntil = clock.monotonic() + pause;
    this.#result = {
      succeeded: end === 'succeeded',
      target: probeTarget(this.#probe),
      message: message || (end === 'succeeded' ? 'succeeded' : 'failed'),
      at: isoTime(clock.now()),
      tries: this.#tries,
    };
  }

  /** The first that counts. */
  async #ended(application: ApplicationView, deadline: Deadline): Promise<ProbeJob> {
    for (;;) {
      this.#number++;
      const ended = await this.#endOf(application, deadline);
      if (ended) return ended;
    }
  }

  #request(application: ApplicationView, number: number): ProbeRequest {
    const { session, node } = this.#context;
    const request = probeRequest(session.identity, node, application, number);
    if (!request) throw new Error(`${node.id} has no probe.`);
    return request;
  }

  /** Undefined: it had ended before, and says nothing of now. */
  async #endOf(application: ApplicationView, deadline: Deadline): Promise<ProbeJob | undefined> {
    const context = this.#context;
    const { target, clock } = context.session;
    const until = Math.min(deadline, deadlineIn(context, secondsOf(this.#probe) + LATE_SECONDS));
    const request = this.#request(application, this.#number);
    let unendedAt: number | undefined;
    for (;;) {
      // An outage takes longer than a try: it does not end the node while its gate has time.
      const job = await read(context, deadline, () => target.probes.get(request.name));
      const now = clock.monotonic();
      if (job && job.state !== 'running') {
        const counts =
          unendedAt === undefined
            ? await this.#isAdoptable(job, application, deadline)
            : now - unendedAt <= OLD_MS;
        return counts ? job : undefined;
      }
      unendedAt = now;
      if (isOver(context, until)) {
        const isCut = isOver(context, deadline);
        return unended(await target.probes.trouble(request.name), isCut);
      }
      // A Job that somebody has deleted is made again: there is one of a name at a time.
      const refusal = job ? undefined : await this.#create(request);
      if (refusal !== undefined) return failed(refusal);
      await sleep(context, Math.min(LOOK_MS, Math.max(0, until - clock.monotonic())));
    }
  }

  /** Of one that had ended when it was first seen: the last of a process before this one. What this one has tried since is newer. */
  async #isAdoptable(
    { endedAt }: ProbeJob,
    application: ApplicationView,
    deadline: Deadline,
  ): Promise<boolean> {
    const { target, clock } = this.#context.session;
    const now = clock.now();
    if (this.#tries > 0 || now - (endedAt ?? now) > OLD_MS) return false;
    const { name } = this.#request(application, this.#number + 1);
    return !(await read(this.#context, deadline, () => target.probes.get(name)));
  }

  /** Why not. Where another process was quicker, or the answer is lost, looking tells. */
  async #create(request: ProbeRequest): Promise<string | undefined> {
    const sent = await this.#context.probeWrites.create(request);
    const isRefused = sent.kind === 'refused' && sent.reason !== 'conflict';
    return isRefused ? `its Job was refused: ${sent.message}` : undefined;
  }
}

const failed = (message: string): ProbeJob => ({ state: 'failed', message, endedAt: undefined });

/** `isCut`: it may have ended well, had the gate had more time. */
function unended(trouble: string, isCut: boolean): ProbeJob {
  const message = `its Job did not end in time${trouble ? `: ${trouble}` : ''}`;
  return { state: isCut ? 'running' : 'failed', message, endedAt: undefined };
}
