// Results of nodes that did not produce one themselves.
import { TiphysError } from '../errors.ts';
import type { NodeResult } from '../node/progress.ts';
import type { PlanNode } from '../plan/plan.ts';
import { shortName } from '../plan/platform-graph.ts';
import { type Cause, metByEnd } from '../run/events.ts';
import { Abandoned } from '../session/abandoned.ts';

export const NOTHING_DONE = {
  type: 'node.finished',
  attempts: 0,
  operations: [],
  revisions: [],
  repositories: [],
  durations: { wait: 0, sync: 0, health: 0, dwell: 0 },
} as const;

export function withNothingDone(outcome: 'failed' | 'skipped', cause: Cause): NodeResult {
  const { type: _, ...nothing } = NOTHING_DONE;
  return { ...nothing, outcome, cause, evidence: null };
}

export function lostResult(node: PlanNode, error: unknown, why?: string): NodeResult {
  const message =
    error instanceof Abandoned
      ? metByEnd(why ?? 'the run was aborted')
      : `a bug in Tiphys: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
  return withNothingDone('failed', { node: node.id, message });
}

/** Thrown when a node is about to send its request. */
export function dependencyFell({ node, message }: Cause): TiphysError {
  const code = 'dependencies-not-healthy';
  return new TiphysError([{ code, message: `${shortName(node)} ${message}`, hint: '' }]);
}
