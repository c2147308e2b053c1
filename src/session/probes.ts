// The names of probe Jobs: derived from the probe and its subject. A process that continues a node, or a duplicate of it,
// finds the existing Job instead of creating a second one.
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
 * The subject of a result. Another object, operation, spec or health makes it outdated. The commit
 * that Argo CD compared with does not count: it changes with every push.
 */
export function probedState(application: ApplicationView): string {
  const { uid, wanted, health, operationState } = application;
  const revisions = deployedRevisions(application);
  return hashOf(uid, wanted, revisions, health.lastTransition, operationState?.finishedAt);
}

/** `number`: of the try in that state. Undefined if the gate has no probe. */
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
