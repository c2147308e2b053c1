// How the Jobs of probes are named: by what they ask, and of what. A process that goes on with a node, or its double, finds the Job
// of the one before instead of making a second one.
import { createHash } from 'node:crypto';
import { keyOf } from '../plan/node-address.ts';
import type { PlanNode } from '../plan/plan.ts';
import type { ApplicationView } from '../ports/application-view.ts';
import type { ProbeRequest } from '../ports/probe-jobs.ts';
import { deployedRevisions } from './approvals/approval.ts';
import type { RunIdentity } from './identity.ts';
import { LABEL } from './record/chunk.ts';

const PROBED = 'tiphys.dev/application';

const hashOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/**
 * What a result is of. Another object, operation, spec or health since then makes it one of the past, whatever is deployed. Not
 * the commit that Argo CD has compared with: that moves with every push.
 */
export function probedState(application: ApplicationView): string {
  const { uid, wanted, health, operationState } = application;
  const revisions = deployedRevisions(application);
  return hashOf(uid, wanted, revisions, health.lastTransition, operationState?.finishedAt);
}

/** `number`: of the tries on that state. Undefined where the gate has no probe. */
export function probeRequest(
  { id, platform }: RunIdentity,
  node: PlanNode,
  application: ApplicationView,
  number: number,
): ProbeRequest | undefined {
  const { probe } = node.gate;
  if (!probe) return undefined;
  return {
    name: `tiphys-probe-${hashOf(id, node.id, probe, probedState(application), number)}`,
    labels: new Map([
      [LABEL.platform, platform],
      [LABEL.run, id],
    ]),
    // Names of Applications can be longer than a label.
    annotations: new Map([[PROBED, keyOf(node)]]),
    probe,
  };
}
