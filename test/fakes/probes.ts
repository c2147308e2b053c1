// Jobs of probes in memory: they end as a test says, after a while.
import type { ProbeJob, ProbeJobs, ProbeRequest } from '../../src/ports/probe-jobs.ts';
import type { WriteResult } from '../../src/ports/write-result.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface ProbeEnd {
  /** Seconds until it ends; 1, unless it is said. */
  readonly seconds?: number;
  readonly isGood: boolean;
  readonly message?: string;
}

const GOOD: ProbeEnd = { isGood: true, message: 'HTTP 200' };
export const BAD: ProbeEnd = { isGood: false, message: 'HTTP 503, not 200 to 399' };

export class FakeProbes {
  /** Every Job that was made. */
  readonly made: { readonly at: number; readonly request: ProbeRequest }[] = [];
  /** The ends of the next ones; then those of `usual`. */
  readonly ends: ProbeEnd[] = [];
  usual: ProbeEnd = GOOD;
  /** Answers of the next requests; `lost` is carried out without an answer. */
  readonly answers: ('lost' | WriteResult)[] = [];
  /** What keeps pods from getting on, and of which Jobs that was asked. */
  trouble = '';
  readonly troubles: string[] = [];
  isNamespaceThere: boolean | undefined = true;
  readonly #jobs = new Map<string, { readonly endsAt: number; readonly end: ProbeEnd }>();
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Somebody deletes all of them. */
  clear(): void {
    this.#jobs.clear();
  }

  /** The applications that were asked about, each time. */
  get asked(): readonly string[] {
    return this.made.map(({ request }) =>
      `${request.annotations.get('tiphys.dev/application')}`.replace(/^.*\//, ''),
    );
  }

  readonly api: ProbeJobs = {
    namespace: 'tiphys-probes',
    isNamespaceThere: async () => this.isNamespaceThere,
    get: async (name) => this.#jobNamed(name),
    trouble: async (name) => {
      this.troubles.push(name);
      return this.trouble;
    },
    create: async (request) => {
      const answer = this.answers.shift();
      if (answer && answer !== 'lost') return answer;
      if (this.#jobs.has(request.name))
        return { kind: 'refused', reason: 'conflict', message: 'already exists' };
      const at = this.#clock.now();
      this.made.push({ at, request });
      const end = this.ends.shift() ?? this.usual;
      this.#jobs.set(request.name, { endsAt: at + (end.seconds ?? 1) * 1000, end });
      return answer ? { kind: 'unknown', message: 'no answer' } : { kind: 'done' };
    },
  };

  #jobNamed(name: string): ProbeJob | undefined {
    const job = this.#jobs.get(name);
    if (!job) return undefined;
    const { endsAt, end } = job;
    if (this.#clock.now() < endsAt) return { state: 'running', message: '', endedAt: undefined };
    const state = end.isGood ? 'succeeded' : 'failed';
    return { state, message: end.message ?? '', endedAt: endsAt };
  }
}
