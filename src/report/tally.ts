// What the outcomes of a run add up to.
import type { Plan } from '../plan/plan.ts';
import type { Outcome } from '../run/events.ts';
import type { NodeProgress } from '../run/run-state.ts';

type Nodes = ReadonlyMap<string, NodeProgress>;

/** An open says only that an operation began; whether its Application is Healthy, its close says. */
export function outcomesOf(plan: Plan, nodes: Nodes): Outcome[] {
  return plan.nodes.flatMap(({ id, kind, application }) => {
    const outcome = nodes.get(id)?.outcome;
    const isJudged = kind !== 'open' || plan.action === 'teardown';
    return application !== null && isJudged && outcome ? [outcome] : [];
  });
}

/** Of applications only. */
export function countsOf(plan: Plan, nodes: Nodes): Record<Outcome, number> {
  const counts = { healthy: 0, unchanged: 0, failed: 0, skipped: 0, removed: 0 };
  for (const { id, kind } of plan.nodes) {
    const outcome = nodes.get(id)?.outcome;
    if (kind === 'application' && outcome) counts[outcome]++;
  }
  return counts;
}

/** One repository at two revisions: what was tested together was not deployed together. */
export function mixedRevisions(plan: Plan, nodes: Nodes): string[] {
  const revisions = new Map<string, Set<string>>();
  for (const { id } of plan.nodes) {
    const node = nodes.get(id);
    for (const deployed of node ? [node, ...(node.members ?? [])] : []) {
      for (const [at, repository] of deployed.repositories.entries()) {
        const revision = deployed.revisions[at];
        if (revision === undefined) continue;
        revisions.set(repository, (revisions.get(repository) ?? new Set()).add(revision));
      }
    }
  }
  return [...revisions]
    .filter(([, set]) => set.size > 1)
    .map(
      ([repository, set]) =>
        `${repository} was deployed at ${set.size} revisions: ${[...set].join(', ')}`,
    );
}
