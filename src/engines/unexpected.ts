// Applications that a parent of the plan makes, itself or by its ApplicationSets, and that the platform file does not have.
import type { Plan } from '../plan/plan.ts';
import type { ApplicationView } from '../run/application-view.ts';
import type { ApplicationSetView } from '../run/target.ts';

export interface Unexpected {
  readonly name: string;
  /** The parent's Application. */
  readonly madeBy: string;
}

export function unexpectedOf(
  plan: Plan,
  listed: readonly ApplicationView[],
  sets: readonly ApplicationSetView[],
): Unexpected[] {
  const known = new Set(plan.nodes.flatMap(({ application }) => application ?? []));
  // A plan with the open only has but some of the members: what else there is, it cannot tell.
  const closed = new Set(
    plan.nodes.filter(({ kind }) => kind === 'close').map(({ stack }) => stack),
  );
  const opens = plan.nodes.filter(({ kind, stack }) => kind === 'open' && closed.has(stack));
  const parents = new Set(opens.flatMap(({ application }) => application ?? []));
  const makers = new Map(sets.map((set) => [`${set.namespace}/${set.name}`, set.trackedBy]));
  return listed.flatMap(({ name, namespace, trackedBy, applicationSet }) => {
    const madeBy = applicationSet ? makers.get(`${namespace}/${applicationSet}`) : trackedBy;
    return !known.has(name) && madeBy && parents.has(madeBy) ? [{ name, madeBy }] : [];
  });
}
