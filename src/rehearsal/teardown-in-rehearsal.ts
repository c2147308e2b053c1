// A teardown in the rehearsal: looks, approves what it sees, and tears it down. The client, inventory and engine are the real
// ones.

import { type TeardownRequest, teardown } from '../engines/embedded/run-teardown.ts';
import { unrefused } from '../engines/teardown/approved-inventory.ts';
import { takeInventory } from '../engines/teardown/take-inventory.ts';
import { teardownPreflight } from '../engines/teardown/teardown-preflight.ts';
import type { Policy } from '../inventory/inventory.ts';
import { API_VERSION } from '../model/api-version.ts';
import { forecast } from '../report/forecast.ts';
import type { TeardownRehearsal } from '../report/rehearsal-report.ts';
import type { RunEvent } from '../run/events.ts';
import { connectOver } from '../targets/connect.ts';
import type { Rehearsal } from './rehearsal.ts';

type Given = 'plan' | 'whole' | 'deployment' | 'concurrency' | 'stuckAfter' | 'stop' | 'abort';

export interface RehearsedTeardown extends Pick<TeardownRequest, Given> {
  readonly rehearsal: Rehearsal;
  readonly seed: number;
  readonly policy: Policy;
  readonly listen: (event: RunEvent) => void;
}

export async function rehearseTeardown(given: RehearsedTeardown): Promise<TeardownRehearsal> {
  const { rehearsal, seed, policy, listen, ...request } = given;
  const { plan, whole, concurrency, stop } = request;
  const { clock, random, transport } = rehearsal.join('teardown');
  const transports = { kubernetes: transport, argocd: undefined };
  const target = await connectOver(transports, { namespace: rehearsal.namespace, clock, random });
  const looking = { plan, whole, policy, target, clock, concurrency, signal: stop };
  const approved = unrefused(await takeInventory(looking));
  await teardownPreflight(plan, approved, target);
  const { time } = rehearsal;
  const asked = new Map<string, number>();
  /** From each request to the moment when nothing is left. */
  const taken = new Map<string, number>();
  let last = 0;
  const heard = (event: RunEvent) => {
    if (event.type === 'node.delete-requested') asked.set(event.node, time.now);
    const since = 'node' in event ? asked.get(event.node) : undefined;
    if (event.type !== 'node.finished' || event.outcome !== 'removed' || since === undefined)
      return;
    taken.set(event.node, seconds(time.now - since));
    last = time.now;
  };
  const report = await teardown({
    ...request,
    approved,
    target,
    clock,
    unsafe: new Set<string>(),
    runId: rehearsal.random.named('run of teardown').id(),
    holder: 'rehearsal/teardown',
    listen: (event) => {
      heard(event);
      listen(event);
    },
  });
  const { criticalPath, duration } = forecast(plan, taken, concurrency);
  return {
    apiVersion: API_VERSION,
    kind: 'Rehearsal',
    action: 'teardown',
    platform: plan.platform,
    plan: plan.hash,
    scope: plan.scope,
    seed,
    exitStatus: report.exitStatus,
    // From the first request to the last end.
    duration: asked.size === 0 ? 0 : seconds(last - Math.min(...asked.values())),
    critical: { duration, path: criticalPath },
    report,
  };
}

const seconds = (ms: number): number => Math.round(ms) / 1000;
