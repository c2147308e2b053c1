// The probe of one gate: a Job inside the cluster, retried until it succeeds or the gate's time is up. A result counts
// only for the state of the Application in which the probe ran.
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

/** The delay before the second and later tries. */
const PAUSES_MS = [5_000, 10_000, 20_000, 30_000] as const;
const LOOK_MS = 1_000;
/** A Job that ended longer ago, unseen, proves nothing about the current state. */
const OLD_MS = 120_000;
/** Extra time for the Job controller, beyond the time of a try. */
const LATE_SECONDS = 10;

export class GateProbe {
  readonly #context: NodeContext;
  readonly #probe: Probe;
  readonly #most: number;
  #state = '';
  /** The number of tries in that state; part of the Job's name. */
  #number = 0;
  #tries = 0;
  #result: ProbeResult | undefined;
  #pauseUntil: Deadline = 0;

  private constructor(context: NodeContext, probe: Probe, most: number) {
    this.#context = context;
    this.#probe = probe;
    this.#most = most;
  }

  /** Undefined if the gate has no probe. */
  static of(context: NodeContext, patience?: 'once'): GateProbe | undefined {
    const { probe } = context.node.gate;
    const most = patience === 'once' ? 1 : Number.POSITIVE_INFINITY;
    return probe && new GateProbe(context, probe, most);
  }

  /** The probe failed and is not retried here. */
  get isSpent(): boolean {
    return this.#tries >= this.#most && this.#result?.succeeded === false;
  }

  /** The result for the Application's current state; undefined: none. */
  resultOn(application: ApplicationView): ProbeResult | undefined {
    return probedState(application) === this.#state ? this.#result : undefined;
  }

  /** Something was wrong in between: earlier results do not count. */
  forget(): void {
    this.#result = undefined;
  }

  /** The next step: a try, or the pause before it; then everything has to be checked again. */
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
    // How the last complete try ended says more than that this one was cut short.
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

  /** The first result that counts. */
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

  /** Undefined: it had ended before, and proves nothing about the current state. */
  async #endOf(application: ApplicationView, deadline: Deadline): Promise<ProbeJob | undefined> {
    const context = this.#context;
    const { target, clock } = context.session;
    const until = Math.min(deadline, deadlineIn(context, secondsOf(this.#probe) + LATE_SECONDS));
    const request = this.#request(application, this.#number);
    let unendedAt: number | undefined;
    for (;;) {
      // An outage lasts longer than a try: it does not fail the node while the gate has time.
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
      // A Job that was deleted is created again: there is only one of a name.
      const refusal = job ? undefined : await this.#create(request);
      if (refusal !== undefined) return failed(refusal);
      await sleep(context, Math.min(LOOK_MS, Math.max(0, until - clock.monotonic())));
    }
  }

  /**
   * The result of a Job that had ended when it was first seen: the last one of an earlier process. Tries of this process
   * are newer.
   */
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

  /** Why the Job was not created. If another process was faster, or the reply is lost, reading tells. */
  async #create(request: ProbeRequest): Promise<string | undefined> {
    const { session, signal } = this.#context;
    const sent = await session.probeWrites(signal).create(request);
    const isRefused = sent.kind === 'refused' && sent.reason !== 'conflict';
    return isRefused ? `the Job was refused: ${sent.message}` : undefined;
  }
}

const failed = (message: string): ProbeJob => ({ state: 'failed', message, endedAt: undefined });

/** `isCut`: the Job might have succeeded if the gate had more time. */
function unended(trouble: string, isCut: boolean): ProbeJob {
  const message = `the Job did not finish in time${trouble ? `: ${trouble}` : ''}`;
  return { state: isCut ? 'running' : 'failed', message, endedAt: undefined };
}
