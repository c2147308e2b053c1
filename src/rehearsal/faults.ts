// The faults of a rehearsal, as the parts of the simulated cluster ask for them; and how often each was met.

import type { KubeObject } from '../simulator/cluster/object-store.ts';
import { failure, type RestAnswer } from '../simulator/cluster/rest.ts';
import type { Random } from '../simulator/random.ts';
import type { Fate } from '../simulator/simulated-transport.ts';
import type { Step } from '../simulator/workload/workloads.ts';
import type { TransportRequest } from '../targets/transport.ts';
import { type Fault, isOn, type Subject } from './fault.ts';

const SECOND = 1_000;

export class Faults {
  readonly #faults: readonly Fault[];
  readonly #random: Random;
  readonly #seconds: () => number;
  readonly #met = new Map<Fault, number>();
  /** When those came that begin with something else. */
  readonly #since = new Map<Fault, number>();
  #areOver = false;

  constructor(faults: readonly Fault[], random: Random, seconds: () => number) {
    this.#faults = faults;
    this.#random = random;
    this.#seconds = seconds;
  }

  /** How often each has had an effect. */
  get met(): ReadonlyMap<Fault, number> {
    return this.#met;
  }

  /** From now on nothing goes wrong any more. */
  end(): void {
    this.#areOver = true;
  }

  note(fault: Fault): void {
    this.#met.set(fault, (this.#met.get(fault) ?? 0) + 1);
  }

  all(subject: Subject): readonly Fault[] {
    return this.#faults.filter((fault) => fault.subject === subject);
  }

  /** One of these that is in force now. */
  on(subject: Subject, effect: string, name?: string): Fault | undefined {
    if (this.#areOver) return undefined;
    return this.#faults.find(
      (fault) =>
        fault.subject === subject &&
        fault.effect === effect &&
        (name === undefined || fault.name === name) &&
        // Of an application, `for` is how long it lasts once it has come.
        (subject === 'app' || isOn(fault, this.#seconds())),
    );
  }

  /** The same, as often as its rate says; noted. */
  strikes(subject: Subject, effect: string, name?: string): Fault | undefined {
    const fault = this.on(subject, effect, name);
    if (!fault || !this.#random.chance(fault.rate ?? 1)) return undefined;
    this.note(fault);
    return fault;
  }

  /** What becomes of a request. */
  fate(request: TransportRequest, latency: () => number): Fate {
    const slow = this.on('api', 'slow');
    if (slow) this.note(slow);
    const factor = slow?.factor ?? 1;
    const ways = { there: latency() * factor + this.#late(request), back: latency() * factor };
    if (this.strikes('api', 'drops')) return { ...ways, lost: true };
    if (this.strikes('api', 'fails')) return { ...ways, refused: unavailable() };
    if (this.strikes('api', 'busy')) return { ...ways, refused: busy() };
    if (isUpdate(request) && this.strikes('api', 'conflicts'))
      return { ...ways, refused: conflict() };
    if (isProjectUpdate(request) && this.strikes('project', 'update-fails'))
      return { ...ways, refused: internalError() };
    if (this.strikes('api', 'loses-answers')) return { ...ways, unanswered: true };
    return ways;
  }

  /**
   * Milliseconds until argocd-server has what it needs, or the API server what admission says. A client that gives up before that has
   * asked for nothing.
   */
  #late(request: TransportRequest): number {
    const resolves = isSync(request) ? this.on('git', 'resolves-slowly') : undefined;
    const slow = resolves ?? (isProjectUpdate(request) && this.on('project', 'update-slow'));
    if (!slow) return 0;
    this.note(slow);
    return (slow.by ?? 0) * SECOND;
  }

  /** Whether it is the Job of a probe that is to fail. */
  #failsProbe({ metadata }: KubeObject): boolean {
    const [, name] = metadata.annotations?.[PROBED]?.split('/') ?? [];
    const fault = name === undefined ? undefined : this.on('app', 'probe-fails', name);
    if (!fault) return false;
    const now = this.#seconds();
    const since = this.#since.get(fault) ?? now;
    this.#since.set(fault, since);
    if (now - since >= (fault.for ?? Number.POSITIVE_INFINITY)) return false;
    this.note(fault);
    return true;
  }

  /** What becomes of an application's workload. */
  steps(
    application: string | undefined,
    object: KubeObject,
    steps: readonly Step[],
  ): readonly Step[] {
    const { kind } = object;
    if (kind === 'Job' && this.#failsProbe(object)) return [starting(0), refused(SECOND)];
    if (this.#areOver || application === undefined || kind === 'Job') return steps;
    return this.all('app').reduce((now, fault) => {
      const disturb = DISTURBANCES[fault.effect];
      if (!disturb || fault.name !== application) return now;
      this.note(fault);
      return disturb(now, fault);
    }, steps);
  }
}

/** Who a Job of a probe is of: NAMESPACE/NAME. */
const PROBED = 'tiphys.dev/application';

const isUpdate = ({ method }: TransportRequest): boolean => method === 'PUT' || method === 'PATCH';

const isSync = ({ method, path }: TransportRequest): boolean =>
  method === 'POST' && /\/proxy\/api\/v1\/applications\/[^/]+\/sync$/.test(path);

const isProjectUpdate = ({ method, path }: TransportRequest): boolean =>
  method === 'PATCH' && /\/appprojects\/[^/?]+(?:\?|$)/.test(path);

const starting = (after: number): Step => ({ after, stage: 'starting', message: '' });
const ready = (after: number): Step => ({ after, stage: 'ready', message: '' });
const failed = (after: number): Step => ({
  after,
  stage: 'failed',
  message: 'Back-off restarting failed container',
});

const refused = (after: number): Step => ({ after, stage: 'failed', message: 'rehearsed' });

const endOf = (steps: readonly Step[]): number => Math.max(0, ...steps.map(({ after }) => after));

type Disturbance = (steps: readonly Step[], fault: Fault) => readonly Step[];

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  slow: (steps, { factor = 2 }) => steps.map((step) => ({ ...step, after: step.after * factor })),
  'never-healthy': () => [starting(0)],
  degraded: (steps, { after = 0, for: lasts }) => {
    const at = after * SECOND;
    const begun = [...steps.filter((step) => step.after < at), failed(at)];
    if (lasts === undefined) return begun;
    const back = at + lasts * SECOND;
    return [...begun, starting(back), ready(back + endOf(steps))];
  },
  /** Its status says so before any work has begun. */
  'healthy-too-early': (steps, { for: lasts = 20 }) => {
    const begin = lasts * SECOND;
    const later = steps.slice(1).map((step) => ({ ...step, after: begin + step.after }));
    return [ready(0), starting(begin), ...later];
  },
  flaps: (steps, { for: lasts = 60 }) => {
    const begin = endOf(steps);
    const turns = Math.max(1, Math.round(lasts / 8));
    const flapping = Array.from({ length: turns }, (_, turn) => [
      starting(begin + (8 * turn + 3) * SECOND),
      ready(begin + (8 * turn + 8) * SECOND),
    ]);
    return [...steps, ...flapping.flat()];
  },
};

const unavailable = (): RestAnswer =>
  failure(503, 'ServiceUnavailable', 'the server is currently unable to handle the request');

const busy = (): RestAnswer => ({
  ...failure(429, 'TooManyRequests', 'the server has received too many requests'),
  retryAfter: '2',
});

const internalError = (): RestAnswer =>
  failure(500, 'InternalError', 'etcdserver: request timed out');

const conflict = (): RestAnswer =>
  failure(
    409,
    'Conflict',
    'Operation cannot be fulfilled: the object has been modified; please apply your changes to the latest version and try again',
  );
