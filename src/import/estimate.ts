// How long a platform file would take to deploy, by its own plan. An estimate: of durations that classes have, or that history shows.
import { buildPlan } from '../plan/build-plan.ts';
import { compile } from '../plan/compile.ts';
import { shortName } from '../plan/platform-graph.ts';

export interface OrderEstimate {
  /** Seconds. */
  readonly expectedDuration: number;
  /** How many applications lie one after the other at most. */
  readonly layers: number;
  /** The applications on which the time hangs. */
  readonly criticalPath: readonly string[];
}

/** Also the proof that the text can be planned: it throws where it cannot. */
export function estimateOrder(text: string): OrderEstimate {
  const plan = buildPlan(compile({ file: 'platform.yaml', text }), { action: 'deploy' });
  const applications = plan.nodes.filter(({ kind }) => kind === 'application');
  const ids = new Set(applications.map(({ id }) => id));
  return {
    expectedDuration: plan.expectedDuration,
    layers: new Set(applications.map(({ layer }) => layer)).size,
    criticalPath: plan.criticalPath.filter((id) => ids.has(id)).map(shortName),
  };
}
