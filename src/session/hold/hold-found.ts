// What is known about the Applications of a plan when their hold starts.

import { addressOf, keyOf } from '../../plan/node-address.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Watch } from '../../ports/application-watch.ts';
import type { RunHoldParts } from './run-hold-parts.ts';

export type HoldFound = Pick<RunHoldParts, 'found' | 'leavesWindows'>;

/**
 * What the watch has seen of each. `whole`: the whole list, because an Application outside the hold can have the
 * AppProject in its Git.
 */
export function foundBy(watch: Watch, plan: Plan, whole: Plan): HoldFound {
  const seen = ({ nodes }: Plan) =>
    nodes.flatMap((node) => {
      const view = watch.last(addressOf(node));
      return view ? [[keyOf(node), view] as const] : [];
    });
  const all = seen(whole).map(([, view]) => view);
  const leavesWindows = (name: string) =>
    all.some((view) => view.name === name && view.leavesWindows);
  return { found: new Map(seen(plan)), leavesWindows };
}
