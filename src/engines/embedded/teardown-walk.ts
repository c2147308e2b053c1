// A teardown in this process: the walk over its plan removes an Application the moment the last one that depends on it is gone.
import type { NodeContext } from '../../node/node-context.ts';
import type { Removal } from '../../node/removal.ts';
import { removeApplication } from '../../node/remove-node.ts';
import type { Plan, PlanNode } from '../../plan/plan.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Emit } from '../../run/events.ts';
import { Slots } from '../slots.ts';
import { PlanWalk } from '../walk-plan.ts';

export interface TeardownWalkParts {
  readonly plan: Plan;
  readonly concurrency: number;
  readonly contextOf: (node: PlanNode, emit: Emit) => NodeContext;
  readonly removalOf: (node: PlanNode) => Removal;
  readonly clock: Clock;
  readonly emit: Emit;
}

export function teardownWalk(parts: TeardownWalkParts): PlanWalk {
  const { plan, concurrency, clock, emit, contextOf, removalOf } = parts;
  return new PlanWalk({
    plan,
    rank: 'longest-first',
    slots: new Slots(concurrency),
    clock,
    emit,
    perform: (visit) => removeApplication(contextOf(visit.node, visit.emit), removalOf(visit.node)),
  });
}
