// What a plan does at a node, in words for people. A deployment visits the Application of a stack or of the platform twice:
// it is synced before its members, and must be healthy after them.
import type { Plan, PlanNode } from '../plan/plan.ts';

const STEPS: Readonly<Record<PlanNode['kind'], string>> = {
  application: 'sync, health',
  open: 'sync',
  close: 'health',
};

export const stepOf = (action: Plan['action'], { kind }: PlanNode): string =>
  action === 'teardown' ? 'delete' : STEPS[kind];
