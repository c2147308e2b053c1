// A rehearsal's runs, times and requests -> what is told at its end.
import { API_VERSION } from '../model/api-version.ts';
import type { Plan } from '../plan/plan.ts';
import { forecast, type Times } from '../report/forecast.ts';
import { makespan } from '../report/makespan.ts';
import type { RehearsalReport, RehearsedRun } from '../report/rehearsal-report.ts';
import type { RunEvent } from '../run/events.ts';
import { exitStatusOf } from './deploy-in-rehearsal.ts';
import type { Fault } from './fault.ts';
import type { Profile } from './files.ts';
import type { Rehearsal } from './rehearsal.ts';
import { renderFault } from './render-fault.ts';

/** How long each node is expected to take. */
export function expectedTimes(plan: Plan, profile: Profile): Times {
  return new Map(
    plan.nodes.map(({ id, kind, application, expectedDuration }) => {
      const known = kind === 'application' ? profile.get(application ?? '') : undefined;
      return [id, known ?? expectedDuration];
    }),
  );
}

/** For how long people were waited for: that is no time of the node's own. */
class TimeOfPeople {
  readonly #since = new Map<string, number>();
  readonly #ms = new Map<string, number>();

  event(event: RunEvent, now: number): void {
    if (!('node' in event) || event.node === undefined) return;
    const { node } = event;
    const since = this.#since.get(node);
    if (since !== undefined) this.#ms.set(node, this.at(node) + now - since);
    this.#since.delete(node);
    if ('unmet' in event && event.unmet?.condition === 'approved') this.#since.set(node, now);
  }

  /** Milliseconds. */
  at(node: string): number {
    return this.#ms.get(node) ?? 0;
  }
}

/** Listens to a rehearsal from its beginning. */
export class Observer {
  readonly #rehearsal: Rehearsal;
  /** When the first request was sent, in any run. */
  readonly #asked = new Map<string, number>();
  readonly #times = new Map<string, number>();
  readonly #people = new TimeOfPeople();
  readonly #requests = { kubernetes: 0, argocd: 0, argocdWrites: 0 };

  constructor(rehearsal: Rehearsal) {
    this.#rehearsal = rehearsal;
    rehearsal.onRequest(({ request: { method, path } }) => {
      const isProxied = path.includes('/proxy/');
      this.#requests[isProxied ? 'argocd' : 'kubernetes']++;
      if (isProxied && method !== 'GET') this.#requests.argocdWrites++;
    });
  }

  /** An open is done before its operation is: its time is that of its members. */
  event(event: RunEvent): void {
    const { now } = this.#rehearsal.time;
    this.#people.event(event, now);
    if (event.type === 'node.sync-requested' && !this.#asked.has(event.node))
      this.#asked.set(event.node, now);
    if (event.type !== 'gate.opened' || !event.node.startsWith('app:')) return;
    const asked = this.#asked.get(event.node);
    if (asked !== undefined && !this.#times.has(event.node))
      this.#times.set(event.node, Math.round(now - asked - this.#people.at(event.node)) / 1000);
  }

  report(of: {
    readonly rehearsal: Rehearsal;
    readonly seed: number;
    readonly faults: readonly Fault[];
    readonly plan: Plan;
    readonly concurrency: number;
    readonly expected: Times;
    readonly runs: readonly RehearsedRun[];
  }): RehearsalReport {
    const { plan, runs, expected, concurrency } = of;
    const { met } = of.rehearsal.faults;
    const started = Math.min(...runs.map(({ startedAt }) => startedAt));
    const ended = Math.max(...runs.map(({ endedAt }) => endedAt));
    const times = new Map([...expected, ...this.#times]);
    return {
      apiVersion: API_VERSION,
      kind: 'Rehearsal',
      action: 'deploy',
      platform: plan.platform,
      plan: plan.hash,
      scope: plan.scope,
      seed: of.seed,
      exitStatus: exitStatusOf(runs),
      duration: Math.round((ended - started) * 1000) / 1000,
      expectedDuration: makespan(plan, expected, concurrency),
      faults: of.faults.map((fault) => ({ fault: renderFault(fault), met: met.get(fault) ?? 0 })),
      requests: this.#requests,
      forecast: forecast(plan, times, concurrency),
      runs,
    };
  }
}
