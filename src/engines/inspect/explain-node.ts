// Looks at everything that a node depends on, and finds the root cause.
import { traitsOf } from '../../gate/conditions.ts';
import type { Unmet } from '../../gate/verdict.ts';
import { API_VERSION } from '../../model/api-version.ts';
import type { Reference } from '../../model/names.ts';
import type { Plan } from '../../plan/plan.ts';
import { CLOSE_PLATFORM, closeOf, nodeOf } from '../../plan/platform-graph.ts';
import type { ApplicationView } from '../../ports/application-view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Cluster } from '../../ports/target.ts';
import { type ExplainedRun, type Explanation, explain } from '../../report/explanation.ts';
import { leaseName } from '../../session/lease/lease-data.ts';
import { namedRun, unlessForbidden } from './active-run.ts';
import { type LookParts, lookAtAll } from './look.ts';

export async function explainNode(
  plan: Plan,
  reference: Reference,
  parts: LookParts & { readonly target: Pick<Cluster, 'leases'> },
): Promise<Explanation> {
  const nodes = plan.nodes.filter(
    ({ application, kind }) => application !== null && kind !== 'open',
  );
  const [looks, run] = await Promise.all([lookAtAll(nodes, parts), runOfPlatform(plan, parts)]);
  const seen = new Map(
    looks.map(({ node, application, unmet, evidence }) => {
      const isBroken = application !== undefined && looksBroken(application, unmet);
      return [node.id, { unmet, evidence, isBroken }];
    }),
  );
  const node = idOf(reference);
  const { platform } = plan;
  const chain = explain(plan, seen, node);
  return { apiVersion: API_VERSION, kind: 'Explanation', platform, node, run, chain };
}

/** What the end of a run left in the Lease, or what one that has it says. */
async function runOfPlatform(
  { platform }: Plan,
  { target, clock }: { readonly target: Pick<Cluster, 'leases'>; readonly clock: Clock },
): Promise<ExplainedRun | null> {
  const lease = await target.leases.get(leaseName(platform)).catch(unlessForbidden);
  const named = namedRun(lease, clock);
  if (!named || named.finished) return null;
  return { run: named.run, state: named.isActive ? 'active' : 'unfinished' };
}

/** What waits for a sync or for its pods recovers automatically. */
function looksBroken({ operationState, health }: ApplicationView, unmet: Unmet | undefined) {
  const hasFailed = operationState?.phase === 'Failed' || operationState?.phase === 'Error';
  const isError = unmet !== undefined && traitsOf(unmet.condition).shownAs === 'Failed';
  return hasFailed || isError || ['Degraded', 'Unknown'].includes(health.status);
}

function idOf(reference: Reference): string {
  if (reference.kind === 'platform') return CLOSE_PLATFORM;
  return reference.kind === 'stack' ? closeOf(reference.name) : nodeOf(reference.name);
}
