// A teardown in the rehearsal: looks, approves what it sees, and takes it down. The client, inventory and engine are the real
// ones.

import { type TeardownRequest, teardown } from '../engines/embedded/run-teardown.ts';
import { unrefused } from '../engines/teardown/approve.ts';
import { takeInventory } from '../engines/teardown/take-inventory.ts';
import { teardownPreflight } from '../engines/teardown/teardown-preflight.ts';
import type { Policy } from '../inventory/inventory.ts';
import { API_VERSION } from '../model/api-version.ts';
import { forecast } from '../report/forecast.ts';
import type { TeardownRehearsal } from '../report/rehearsal-report.ts';
import type { RunEvent } from '../run/events.ts';
import { connectOver } from '../targets/connect.ts';
import type { Rehearsal } from './rehearsal.ts';

type Given = 'plan' | 'whole' | 'deployment' | 'concurrency' | 'stuckAfter' | 'stop' | 'leave';

export interface RehearsedTeardown extends Pick<TeardownRequest, Given> {
  readonly rehearsal: Rehearsal;
  readonly seed: number;
  readonly policy: Policy;
  readonly listen: (event: RunEvent) => void;
}

export async function rehearseTeardown(asked: RehearsedTeardown): Promise<TeardownRehearsal> {
  const { rehearsal, seed, policy, listen, ...request } = asked;
  const { plan, whole, concurrency, stop } = request;
  const { clock, random, transport } = rehearsal.join('teardown');
  const transports = { kubernetes: transport, argocd: undefined };
  const target = await connectOver(transports, { namespace: rehearsal.namespace, clock, random });
  const looking = { plan, whole, policy, target, clock, concurrency, signal: stop };
  const approved = unrefused(await takeInventory(looking));
  await teardownPreflight(plan, approved, target);
  const times = new Times(rehearsal);
  const report = await teardown({
    ...{ ...request, approved, target, clock, unsafe: new Set<string>() },
    runId: rehearsal.random.named('run of teardown').id(),
    holder: 'rehearsal/teardown',
    listen: (event) => {
      times.event(event);
      listen(event);
    },
  });
  const { criticalPath, duration } = forecast(plan, times.taken, concurrency);
  return {
    ...{ apiVersion: API_VERSION, kind: 'Rehearsal', action: 'teardown' },
    ...{ platform: plan.platform, plan: plan.hash, scope: plan.scope, seed },
    ...{ exitStatus: report.exitStatus, duration: times.all },
    critical: { duration, path: criticalPath },
    report,
  };
}

/** From each request to the moment when nothing is left. */
class Times {
  readonly #rehearsal: Rehearsal;
  readonly #asked = new Map<string, number>();
  readonly taken = new Map<string, number>();
  #last = 0;

  constructor(rehearsal: Rehearsal) {
    this.#rehearsal = rehearsal;
  }

  event(event: RunEvent): void {
    const { now } = this.#rehearsal.time;
    if (event.type === 'node.delete-requested') this.#asked.set(event.node, now);
    if (event.type !== 'node.finished' || event.outcome !== 'removed') return;
    const asked = this.#asked.get(event.node);
    if (asked === undefined) return;
    this.taken.set(event.node, seconds(now - asked));
    this.#last = now;
  }

  /** From the first request to the last end. */
  get all(): number {
    const first = Math.min(...this.#asked.values());
    return this.#asked.size === 0 ? 0 : seconds(this.#last - first);
  }
}

const seconds = (ms: number): number => Math.round(ms) / 1000;
